import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { placeDemoOrders, readStoreOrders, type DemoOrder } from '../../../sandbox/demo.ts';
import { findFreePorts } from '../../../sandbox/find-free-ports.ts';
import { startPlaten, type Platen, type PlacedOrder, type PrintedOrder } from '../../helpers/platen.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(`../../../src/${file}`, import.meta.url));

/** The time limit of each wait, long enough for a slow machine. */
const MAX_MS = 180_000;

/** Returns all tracking codes of an order at the print service. */
function codesOf(orders: PrintedOrder[]): string[] {
  const shipments = orders as unknown as { shipment: { packages: { trackingCode: string }[] } }[];
  return shipments.flatMap(({ shipment }) => shipment.packages.map(({ trackingCode }) => trackingCode)).toSorted();
}

describe('the three demo orders', () => {
  let platen: Platen;
  let placed: DemoOrder[];

  beforeAll(async () => {
    platen = await startPlaten({ time: 'real', settings: { gatherSeconds: 1 } });
    placed = await placeDemoOrders(platen.storeUrl);
    // The third order also has a line from the merchant's own stock. The order is `fulfilled` once its printed line is fulfilled.
    const isDone = async ({ id }: DemoOrder) => (await platen.listed(id)).state === 'fulfilled';
    await vi.waitUntil(
      async () => {
        const done = await Promise.all(placed.map((order) => isDone(order).catch(() => false)));
        return !done.includes(false);
      },
      { timeout: MAX_MS, interval: 100 },
    );
  }, MAX_MS);

  afterAll(() => platen?.stop());

  const orderAt = async (index: number): Promise<PlacedOrder> => platen.storeOrder(placed[index]?.id ?? '');
  const linesOf = ({ fulfillments }: PlacedOrder) => fulfillments.map(({ lines }) => lines);

  test('the demo orders have one fulfillment for every printed line and none for the merchant’s own stock', async () => {
    expect(linesOf(await orderAt(0))).toEqual([[{ sku: 'POSTER-30X40', quantity: 1 }]]);
    expect(linesOf(await orderAt(1)).toSorted((a, b) => (a[0]?.sku ?? '').localeCompare(b[0]?.sku ?? ''))).toEqual([
      [{ sku: 'MUG-11OZ', quantity: 2 }],
      [{ sku: 'TSHIRT-M', quantity: 1 }],
    ]);
    const mixed = await orderAt(2);
    expect(mixed.lines.map(({ sku }) => sku)).toEqual(['POSTER-13X18', 'VASE']);
    expect(linesOf(mixed)).toEqual([[{ sku: 'POSTER-13X18', quantity: 1 }]]);
    expect(mixed.fulfillmentOrders.map(({ status }) => status).toSorted()).toEqual(['CLOSED', 'OPEN']);
  });

  test('each fulfillment of the demo orders has one tracking code from the print service and its link', async () => {
    for (const index of placed.keys()) {
      const { name, fulfillments } = await orderAt(index);
      expect(fulfillments.map(({ trackingCodes }) => trackingCodes.length)).toEqual(fulfillments.map(() => 1));
      const codes = fulfillments.flatMap(({ trackingCodes }) => trackingCodes);
      expect(codes.toSorted()).toEqual(codesOf(await platen.printedFor(name)));
      const links = fulfillments.flatMap(({ trackingUrls }) => trackingUrls);
      expect(links).toEqual(codes.map((code) => `https://tracking.example/${code}`));
    }
  });

  test('each reference of the demo orders has one live print order, and the app shows its ID', async () => {
    const live = (await platen.printed()).filter(({ orderType, deleted }) => orderType === 'order' && deleted !== true);
    expect(live).toHaveLength(placed.length);
    for (const { id, name } of placed) {
      const { printOrders } = await platen.listed(id);
      const booked = await platen.printedFor(name);
      expect(printOrders).toMatchObject(
        booked.map((order) => ({ reference: order.orderReferenceId, serviceOrderIds: [order.id], state: 'fulfilled' })),
      );
    }
  });

  test('the buyer is notified once about each fulfillment of the demo orders', async () => {
    const orders = await Promise.all([...placed.keys()].map(orderAt));
    const fulfillments = orders.flatMap((order) => order.fulfillments) as unknown as { notifications: number }[];
    expect(fulfillments.map(({ notifications }) => notifications)).toEqual([1, 1, 1, 1]);
  });

  test('each demo order has a timeline with all steps from received to fulfilled', async () => {
    const way = ['received', 'planned', 'quoted', 'submitting', 'submitted', 'shipped', 'tracking', 'fulfilled'];
    for (const { id } of placed) {
      const kinds = await platen.timeline(id);
      expect(kinds).toEqual(expect.arrayContaining(way));
      const main = way.filter((kind) => kind !== 'tracking' && kind !== 'shipped');
      expect(main.map((kind) => kinds.indexOf(kind))).toEqual(
        main.map((kind) => kinds.indexOf(kind)).toSorted(ascending),
      );
      expect(kinds.filter((kind) => kind === 'submitted')).toHaveLength(1);
      expect(kinds).not.toContain('held');
    }
  });
});

const ascending = (a: number, b: number): number => a - b;

describe('npm start', () => {
  let home: string;
  let environment: Record<string, string>;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'platen-start-'));
    const [port, printPort, storePort] = await findFreePorts(3);
    environment = {
      PATH: process.env['PATH'] ?? '',
      PLATEN_HOME: home,
      PORT: String(port),
      SANDBOX_PRINT_PORT: String(printPort),
      SANDBOX_STORE_PORT: String(storePort),
      SANDBOX_ADVANCE_SECONDS: '0.2',
    };
  });

  afterAll(async () => {
    for (const child of running) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    }
    rmSync(home, { recursive: true, force: true });
  });

  function start() {
    const child = spawn(process.execPath, [pathOf('main.ts')], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let written = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (written += chunk));
    const errors = text(child.stderr);
    const isReady = async () => {
      if (child.exitCode !== null) throw new Error(`The process ended: ${await errors}`);
      return fetch(`http://127.0.0.1:${environment['PORT']}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    };
    const untilReady = () => vi.waitUntil(isReady, { timeout: MAX_MS, interval: 100 });
    const stop = async () => {
      const began = Date.now();
      const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      running.delete(child);
      return { code, signal, seconds: (Date.now() - began) / 1000, errors: await errors };
    };
    return { untilReady, stop, written: () => written };
  }

  const storeUrl = (): string => `http://127.0.0.1:${environment['SANDBOX_STORE_PORT']}`;

  test(
    'npm start shows the progress of three orders, exits on a signal and preserves the orders for a restart',
    async () => {
      const first = start();
      await first.untilReady();
      const linesOf = (name: string) =>
        first
          .written()
          .split('\n')
          .filter((line) => line.includes(` ${name} `));
      const shown = (name: string) => linesOf(name).filter((line) => line.startsWith('>> '));
      await vi.waitFor(
        () => {
          expect(['#1001', '#1002', '#1003'].map((name) => shown(name).length)).toEqual([1, 2, 1]);
          expect(first.written().match(/ is finished: /g)).toHaveLength(3);
        },
        { timeout: MAX_MS, interval: 100 },
      );
      const orders = await readStoreOrders(storeUrl());
      for (const { name, fulfillments } of orders) {
        const codes = fulfillments.flatMap(({ trackingCodes }) => trackingCodes);
        expect(codes.filter((code) => !shown(name).some((line) => line.includes(code)))).toEqual([]);
        const steps = [/ to print\.$/, / for [\d.]+ USD, /, / creates a draft /, / is confirmed /, / is shipped\.$/];
        const at = steps.map((step) => linesOf(name).findIndex((line) => step.test(line)));
        expect(at).toEqual(at.filter((index) => index >= 0).toSorted(ascending));
      }
      const end = await first.stop();
      expect(end).toMatchObject({ code: 0, signal: null, errors: '' });
      expect(end.seconds).toBeLessThan(25);
      const logged = (await readFile(join(home, 'platen.log'), 'utf8')).split('\n');
      expect(JSON.parse(logged.find((line) => line.includes('Platen is starting')) ?? '{}')).toMatchObject({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        role: 'all',
        database: expect.stringMatching(/^127\.0\.0\.1:\d+\/\w+$/),
        migrations: expect.arrayContaining(['HandEventsToReadings1795000000140']),
      });

      const second = start();
      await second.untilReady();
      await vi.waitFor(() => expect(second.written()).toContain('The store already has 3 orders'), MAX_MS);
      expect(await readStoreOrders(storeUrl())).toEqual(orders);
      expect(await second.stop()).toMatchObject({ code: 0, signal: null, errors: '' });
    },
    MAX_MS,
  );
});
