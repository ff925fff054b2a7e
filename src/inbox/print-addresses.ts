import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { findPrintWebhookAddresses, readPrintWebhookAddresses } from '../shops/print-account/print-webhook-address.ts';
import type { PrintWebhookAddress } from '../shops/print-account/print-webhook-address.ts';
import { createGather } from './gather.ts';
import { isOpenTo } from './receive-print-delivery.ts';
import type { Addressed } from './receive-print-delivery.ts';

const MOST_REMEMBERED = 10_000;
/** Events that look up their address at a time, and that may wait to do so. */
const LOOK_UPS = { mostItems: 250, mostBytes: 64 * 1024, mostWaiting: 1_000 };

/** The addresses of the print service's events. A process remembers them for times when the database is unavailable. */
export interface PrintAddresses {
  /** The id of the shop whose address accepts this event, or null. Asks the database, and throws its errors. */
  find(arrival: Addressed): Promise<number | null>;
  /** The same from memory; null if the database reported no such address, or one that would not accept the event. */
  recall(arrival: Addressed): number | null;
}

/** Starts with the latest addresses of the database, so that a process knows them from its start. */
export async function openPrintAddresses(app: App): Promise<PrintAddresses> {
  const remembered = new LRUCache<string, PrintWebhookAddress>({ max: MOST_REMEMBERED });
  await readPrintWebhookAddresses(app, MOST_REMEMBERED).then(
    (addresses) => addresses.toReversed().forEach((one) => remembered.set(one.tokenHash, one)),
    (error: unknown) => app.log.warn({ error }, 'the addresses of the print service could not be read at startup'),
  );
  const look = createGather<string, PrintWebhookAddress | null>({
    run: (tokenHashes) => findPrintWebhookAddresses(app, tokenHashes),
    bytesOf: (tokenHash) => tokenHash.length,
    ...LOOK_UPS,
  });
  return {
    async find(arrival) {
      const address = await look(arrival.tokenHash);
      if (address) remembered.set(arrival.tokenHash, address);
      else remembered.delete(arrival.tokenHash);
      return address && isOpenTo(app, address, arrival) ? address.id : null;
    },
    recall(arrival) {
      const address = remembered.get(arrival.tokenHash);
      return address && isOpenTo(app, address, arrival) ? address.id : null;
    },
  };
}
