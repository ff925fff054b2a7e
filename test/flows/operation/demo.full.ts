import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { readStoreOrders } from '../../../sandbox/demo.ts';
import { findFreePorts } from '../../../sandbox/find-free-ports.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(`../../../src/${file}`, import.meta.url));

/** The time limit of each wait, long enough for a slow machine. */
const MAX_MS = 180_000;

const ascending = (a: number, b: number): number => a - b;

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

const documentSchema = z.strictObject({
  orders: z.array(
    z.strictObject({
      name: z.string(),
      printOrders: z.array(
        z.strictObject({
          reference: z.string().min(1),
          serviceOrderIds: z.array(z.string().min(1)).min(1),
          shipmentMethodUid: z.string().min(1),
          ordersAtService: z.literal(1),
        }),
      ),
      fulfillments: z.array(
        z.strictObject({
          lines: z.array(z.strictObject({ sku: z.string(), quantity: z.int().min(1) })).min(1),
          trackingCodes: z.array(z.string().min(1)).min(1),
          trackingUrls: z.array(z.url()).min(1),
        }),
      ),
    }),
  ),
});

test('platen demo --json prints a single JSON document with three fulfilled orders and exits with 0', async () => {
  const environment = { PATH: process.env['PATH'] ?? '', SANDBOX_ADVANCE_SECONDS: '0.2' };
  const child = spawn(process.execPath, [pathOf('cli/main.ts'), 'demo', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const [output, progress] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([await ended, progress]).toEqual([[0, null], expect.stringContaining('Placed #1001, #1002, #1003')]);
  const { orders } = documentSchema.parse(JSON.parse(output));
  expect(orders.map(({ name }) => name)).toEqual(['#1001', '#1002', '#1003']);
  expect(orders.map(({ printOrders }) => printOrders.length)).toEqual([1, 1, 1]);
  const skus = orders.map(({ fulfillments }) => fulfillments.flatMap(({ lines }) => lines.map(({ sku }) => sku)));
  expect(skus.map((list) => list.toSorted())).toEqual([['POSTER-30X40'], ['MUG-11OZ', 'TSHIRT-M'], ['POSTER-13X18']]);
  expect(orders.map(({ fulfillments }) => fulfillments.length)).toEqual([1, 2, 1]);
  expect(output.trimEnd().split('\n')).toHaveLength(1);
}, 100_000);
