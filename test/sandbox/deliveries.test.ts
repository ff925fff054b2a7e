import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBooks, type Books } from '../../sandbox/books.ts';
import { createDeliveries, type Deliveries } from '../../sandbox/deliveries.ts';
import { createFaults } from '../../sandbox/faults.ts';
import { createIds } from '../../sandbox/ids.ts';
import { eventually, useTestClock } from '../helpers/eventually.ts';

let folder: string;
let received: string[];
let status: number;
let url: string;
const server = createServer((request, response) => {
  received.push(String(request.headers.from));
  response.writeHead(status).end();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-deliveries-'));
  [received, status] = [[], 200];
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function open(): Promise<{ books: Books; deliveries: Deliveries; close(): Promise<void> }> {
  const clock = await useTestClock();
  const books = openBooks(join(folder, 'books.jsonl'));
  const deliveries = createDeliveries(clock, books, createIds(clock, books), createFaults(clock, books), [60_000]);
  return {
    books,
    deliveries,
    async close() {
      await deliveries.close();
      books.close();
    },
  };
}

function add({ books, deliveries }: Awaited<ReturnType<typeof open>>, from: string, count: number): void {
  for (let added = 0; added < count; added += 1)
    books.write(deliveries.plan({ from, url, headers: { from }, body: '{}' }));
  deliveries.wake();
}

test('deliveries that are waiting when the stand-in stops are sent after a restart', async () => {
  const stopped = await open();
  for (const from of ['one', 'two'])
    stopped.books.write(stopped.deliveries.plan({ from, url, headers: { from }, body: '{}' }));
  await stopped.close();
  const standIn = await open();
  standIn.deliveries.wake();
  await eventually(() => received.toSorted()).toEqual(['one', 'two']);
  await standIn.close();
});

test('a rejected delivery is retried after each configured delay and then abandoned', async () => {
  status = 500;
  const standIn = await open();
  add(standIn, 'shop', 1);
  await eventually(() => standIn.books.all('deliveries')).toEqual([]);
  expect(received).toEqual(['shop', 'shop']);
  await standIn.close();
});
