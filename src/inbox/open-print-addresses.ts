import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { findPrintWebhookAddresses, readPrintWebhookAddresses } from '../shops/print-account/print-webhook-address.ts';
import type { PrintWebhookAddress } from '../shops/print-account/print-webhook-address.ts';
import { createBatcher } from './create-batcher.ts';
import { acceptsArrival } from './receive-print-delivery.ts';
import type { PrintArrivalHead } from './receive-print-delivery.ts';

const MAX_REMEMBERED = 10_000;
/** The maximum size of one batch of address lookups, and the maximum number of waiting lookups. */
const LOOKUP_LIMITS = { maxItems: 250, maxBytes: 64 * 1024, maxWaiting: 1_000 };

/** The addresses for the print service's events. Each process also keeps them in memory for times when the database is unavailable. */
export interface PrintAddresses {
  /** Returns the ID of the shop whose address accepts this event, or null. Queries the database and throws its errors. */
  find(arrival: PrintArrivalHead): Promise<number | null>;
  /** Finds the shop in memory instead. Returns null if the address is not in memory, or would not accept the event. */
  findInMemory(arrival: PrintArrivalHead): number | null;
}

/** Creates this process's address lookup. Preloads the latest addresses from the database into memory. */
export async function openPrintAddresses(app: App): Promise<PrintAddresses> {
  const remembered = new LRUCache<string, PrintWebhookAddress>({ max: MAX_REMEMBERED });
  await readPrintWebhookAddresses(app, MAX_REMEMBERED).then(
    (addresses) => addresses.toReversed().forEach((one) => remembered.set(one.tokenHash, one)),
    (error: unknown) => app.log.warn({ error }, 'the addresses for print service events could not be read at startup'),
  );
  const look = createBatcher<string, PrintWebhookAddress | null>({
    clock: app.clock,
    run: (tokenHashes) => findPrintWebhookAddresses(app, tokenHashes),
    bytesOf: (tokenHash) => tokenHash.length,
    ...LOOKUP_LIMITS,
  });
  return {
    async find(arrival) {
      const address = await look(arrival.tokenHash);
      if (address) remembered.set(arrival.tokenHash, address);
      else remembered.delete(arrival.tokenHash);
      return address && acceptsArrival(app, address, arrival) ? address.id : null;
    },
    findInMemory(arrival) {
      const address = remembered.get(arrival.tokenHash);
      return address && acceptsArrival(app, address, arrival) ? address.id : null;
    },
  };
}
