import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createPrintClient } from '../../../src/print/client.ts';
import { parseEvent } from '../../../src/print/events.ts';
import { startService } from './service.ts';
import { systemClock } from '../../../src/clock.ts';

const eventSchema = z.looseObject({ id: z.string(), event: z.string() });
type StoreEvent = z.output<typeof eventSchema>;

/** Receives events of any kind. */
async function startReceiver() {
  const received: StoreEvent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(eventSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/events`, received };
}

/** Starts a stand-in and a receiver for the events of `key`. */
export async function startWithStoreEvents(
  options: Parameters<typeof startService>[0] = {},
  address: { key?: string; style?: string } = {},
) {
  const client = await startService(options);
  const { url, received } = await startReceiver();
  await client.ok('POST', '/_control/webhooks', { addresses: [{ key: 'sandbox-key', url, ...address }] });
  return { client, received };
}

/** Returns the app's client for a running stand-in, with the account's `key`. */
export function connectStore(url: string, key = 'sandbox-key') {
  const urls = { order: url, ecommerce: url, product: url, legacy: url, legacyTest: null };
  const client = createPrintClient({ clock: systemClock, urls, timeoutMs: 5_000 });
  onTestFinished(() => client.close());
  const service = client.withKey(key, { extendedCalls: true });
  if (service.extended === 'unsupported') throw new Error('the account must have the extended calls');
  return {
    ...service.extended,
    getStoreProduct: (storeId: string, productId: string) => service.getStoreProduct(storeId, productId),
  };
}

/** Expects that the app recognizes the event's kind and reads all of the event's fields. */
export function expectReadInFull(body: StoreEvent): void {
  const { event, ...fields } = body;
  expect(parseEvent(body)).toMatchObject({ kind: event, ...fields });
}
