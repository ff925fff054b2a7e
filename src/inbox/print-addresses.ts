import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { findPrintWebhookAddresses, readPrintWebhookAddresses } from '../shops/print-account/print-webhook-address.ts';
import type { PrintWebhookAddress } from '../shops/print-account/print-webhook-address.ts';
import { createGather } from './gather.ts';
import { isOpenTo } from './receive-print-delivery.ts';
import type { Addressed } from './receive-print-delivery.ts';

const MOST_REMEMBERED = 10_000;
/** Events that ask for their address at a time, and that wait to do so. */
const LOOK_UPS = { mostItems: 250, mostBytes: 64 * 1024, mostWaiting: 1_000 };

/** The addresses of the print service's events, which a process remembers for the time that the database is away. */
export interface PrintAddresses {
  /** The id of the shop whose address takes this event; null: no shop has it. Asks the database, and throws what it throws. */
  find(arrival: Addressed): Promise<number | null>;
  /** The same, by what the database said last; null: it said nothing of such an address, or would not have let the event in. */
  recall(arrival: Addressed): number | null;
}

/** Begins with the latest addresses of the database, so that a process knows them from its start. */
export async function openPrintAddresses(app: App): Promise<PrintAddresses> {
  const remembered = new LRUCache<string, PrintWebhookAddress>({ max: MOST_REMEMBERED });
  await readPrintWebhookAddresses(app, MOST_REMEMBERED).then(
    (addresses) => addresses.toReversed().forEach((one) => remembered.set(one.tokenHash, one)),
    (error: unknown) => app.log.warn({ error }, 'the addresses of the print service could not be read at the start'),
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
