import { expect, onTestFinished } from 'vitest';
import { createPrintClient } from '../../../src/print/client.ts';
import { parseEvent } from '../../../src/print/events.ts';
import { useTestClock } from '../../helpers/eventually.ts';
import { startReceiver, startService } from './service.ts';

/** Starts a stand-in and a receiver for the events of `key`. */
export async function startWithStoreEvents(
  options: Parameters<typeof startService>[0] = {},
  address: { key?: string; style?: string } = {},
) {
  const client = await startService(options);
  const { url, received } = await startReceiver();
  await client.ok('POST', '/_control/webhooks', { addresses: [{ key: 'sandbox-key', url, ...address }] });
  return { client, bodies: () => received.map(({ body }) => body) };
}

/** Returns the app's client for a running stand-in, with the account's `key`. */
export async function connectStore(url: string, key = 'sandbox-key') {
  const urls = { order: url, ecommerce: url, product: url, legacy: url, legacyTest: null };
  const client = createPrintClient({ clock: await useTestClock(), urls, timeoutMs: 5_000 });
  onTestFinished(() => client.close());
  const service = client.withKey(key, { extendedCalls: true });
  if (service.extended === 'unsupported') throw new Error('the account must have the extended calls');
  return {
    ...service.extended,
    getStoreProduct: (storeId: string, productId: string) => service.getStoreProduct(storeId, productId),
  };
}

/** Expects that the app recognizes the event's kind and reads all of the event's fields. */
export function expectReadInFull(body: Record<string, unknown>): void {
  const { event, ...fields } = body;
  expect(parseEvent(body)).toMatchObject({ kind: event, ...fields });
}
