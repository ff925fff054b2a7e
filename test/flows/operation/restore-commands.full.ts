import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSessionToken } from '../../../sandbox/demo.ts';
import { findFreePorts } from '../../../sandbox/find-free-ports.ts';
import { startPrintService } from '../../../sandbox/print/start.ts';
import { startStore } from '../../../sandbox/store/start.ts';
import { readConfig } from '../../../src/config.ts';
import { openEmbeddedDatabase } from '../../../src/database/embedded.ts';
import { installDemoShop } from '../../../src/demo/install-demo-shop.ts';
import { createLog } from '../../../src/log.ts';
import { openApp } from '../../../src/open-app.ts';
import type { ListedOrder, ListedOrdersPage } from '../../../src/orders/lists/list-orders.ts';
import { killProcess, runPlatenCommand, spawnProgram } from '../../chaos/stage/child-process.ts';
import type { PlacedOrder, PrintedOrder } from '../../helpers/platen.ts';

const QUIET_SECONDS = 30;
/** On most machines, the request takes effect after the restored Platen has started. The quiet time then prevents a second order. */
const LATE_MS = 15_000;
const POSTER = 'POSTER-30X40';
const MUG = 'MUG-11OZ';
const LONG = { timeout: 300_000, interval: 500 };
const APP = { apiKey: 'sandbox-app', apiSecret: 'sandbox-secret' };

const sorted = (numbers: number[]): number[] => numbers.toSorted((one, other) => one - other);

interface StoreOrder extends PlacedOrder {
  fulfillments: (PlacedOrder['fulfillments'][number] & { notifications: number })[];
}

/** Starts both stand-ins, which keep running. Each Platen is a separate process with an embedded database in the operator's folder. */
async function openOperatorSetup(submit: string) {
  const home = mkdtempSync(join(tmpdir(), 'platen-operator-'));
  // The database user can access this folder, so the databases are created inside it and are removed with it.
  chmodSync(home, 0o755);
  const [port = 0] = await findFreePorts(1);
  const appUrl = `http://127.0.0.1:${port}`;
  const print = await startPrintService({ home, port: 0, advanceSeconds: null, extended: true, webhookRetryMs: 100 });
  const store = await startStore({ home, port: 0, appUrl, ...APP, webhookRetryMs: [100, 200, 400] });
  const environmentOf = (folder: string): Record<string, string> => ({
    ...environment,
    PLATEN_HOME: join(home, folder),
  });
  const environment = {
    NODE_COMPILE_CACHE: join(home, 'compile-cache'),
    DATABASE_URL: 'embedded',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SHOPIFY_API_KEY: APP.apiKey,
    SHOPIFY_API_SECRET: APP.apiSecret,
    SHOPIFY_APP_URL: appUrl,
    SHOPIFY_ADMIN_ORIGIN: `${store.url}/{shop}`,
    PRINT_ORDER_URL: print.url,
    PRINT_TIMEOUT_SECONDS: '1',
    SUBMIT_DEADLINE_SECONDS: '0.5',
    SUBMIT_QUIET_SECONDS: String(QUIET_SECONDS),
    // Only polls can find changes that were made after the backup.
    POLL_SECONDS: '2',
    PORT: String(port),
    LOG_LEVEL: 'warn',
  };
  const running = new Set<ChildProcess>();
  const used = new Set<string>();
  onTestFinished(async () => {
    for (const child of running) await killProcess(child);
    for (const name of used) await stopDatabase(join(home, name));
    await Promise.all([print.close(), store.close()]);
    rmSync(home, { recursive: true, force: true });
  });

  async function control(of: 'print' | 'store', path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${of === 'print' ? print.url : store.url}/_control${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} responded with ${answer.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  let folder = '';
  const stage = {
    home,
    control,
    /** Runs a command in the folder of the last start, unless another folder is given. */
    platen: (args: string[], on = folder) => runPlatenCommand(args, environmentOf(on)),
    makeFolder(name: string): void {
      mkdirSync(join(home, name));
    },
    async start(name: string): Promise<() => Promise<void>> {
      folder = name;
      used.add(name);
      const logFile = join(home, `${name}.log`);
      const child = spawnProgram({ script: 'src/main.ts', environment: environmentOf(name), logFile });
      running.add(child);
      const isReady = () =>
        fetch(`${appUrl}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(isReady, { ...LONG, message: readFileSync(logFile, 'utf8') }).toBe(true);
      return async () => {
        await killProcess(child);
        running.delete(child);
      };
    },
    faults: (faults: object[]) => control('print', '/faults', faults),
    async place(skus: Record<string, number>): Promise<PlacedOrder> {
      const variants = (await control('store', '/variants')) as { sku: string; variantId: string }[];
      const lines = Object.entries(skus).map(([sku, quantity]) => ({
        variantId: variants.find((one) => one.sku === sku)?.variantId,
        quantity,
      }));
      return (await control('store', '/orders', { lines })) as PlacedOrder;
    },
    async listOrders(): Promise<ListedOrder[]> {
      const answer = await fetch(`${appUrl}/api/orders`, {
        headers: { authorization: `Bearer ${createSessionToken(APP)}` },
      });
      return ((await answer.json()) as ListedOrdersPage).orders;
    },
    async untilState(order: PlacedOrder, ...states: string[]): Promise<void> {
      const state = async () =>
        (await stage.listOrders()).find(({ name }) => name === order.name)?.printOrders[0]?.state ?? '';
      await expect.poll(state, LONG).toMatch(new RegExp(`^(${states.join('|')})$`));
    },
    async printedFor({ name }: PlacedOrder): Promise<PrintedOrder[]> {
      const printed = (await control('print', '/orders')) as PrintedOrder[];
      return printed.filter(
        ({ metadata, orderType, deleted }) =>
          orderType === 'order' && deleted !== true && metadata.some(({ value }) => value === name),
      );
    },
    async untilPrinted(...orders: PlacedOrder[]): Promise<void> {
      const counts = () => Promise.all(orders.map(async (order) => (await stage.printedFor(order)).length));
      await expect.poll(counts, LONG).toEqual(orders.map(() => 1));
    },
    async advance(order: PlacedOrder, to: string): Promise<void> {
      for (const { id } of await stage.printedFor(order)) await control('print', `/orders/${id}/advance`, { to });
    },
    async storeOrder({ id }: PlacedOrder): Promise<StoreOrder> {
      return (await control('store', `/orders/${encodeURIComponent(id)}`)) as StoreOrder;
    },
    /** Waits until every unit of the orders is in a fulfillment. An order may have several packages, which arrive one after another. */
    async untilShipped(...orders: PlacedOrder[]): Promise<void> {
      const countUnits = (lines: { quantity: number }[]): number =>
        lines.reduce((total, one) => total + one.quantity, 0);
      const shipped = () =>
        Promise.all(
          orders.map(async (order) =>
            countUnits((await stage.storeOrder(order)).fulfillments.flatMap(({ lines }) => lines)),
          ),
        );
      await expect.poll(shipped, LONG).toEqual(orders.map(({ lines }) => countUnits(lines)));
    },
  };
  stage.makeFolder('first');
  const opened = await openApp(readConfig(environmentOf('first')), createLog('silent'), {
    poolSize: 2,
    applicationName: 'platen test',
  });
  await installDemoShop(opened.app, store.url);
  await opened.close();
  await stage.platen(
    ['shops', 'set', `submit=${submit}`, 'gatherSeconds=0', 'printKey=sandbox-key', '--shop', 'demo'],
    'first',
  );
  return stage;
}

/** Stops the database server that a killed process has left running. */
async function stopDatabase(home: string): Promise<void> {
  const database = await openEmbeddedDatabase(home, { info: () => undefined });
  await database.close();
}

test.each(['draft', 'direct'])(
  'if an operator restores a backup on a new server while orders are in flight, nothing is printed twice or lost: %s',
  async (submit) => {
    const stage = await openOperatorSetup(submit);
    const kill = await stage.start('first');
    const done = await stage.place({ [POSTER]: 1 });
    const shippedLater = await stage.place({ [POSTER]: 1, [MUG]: 2 });
    const inProduction = await stage.place({ [POSTER]: 2 });
    await stage.untilPrinted(done, shippedLater, inProduction);
    await stage.advance(done, 'shipped');
    await stage.advance(inProduction, 'printed');
    await stage.untilShipped(done);
    await stage.untilState(inProduction, 'in_production');
    // The service creates these orders, but its responses are lost, and its search does not show them yet.
    await stage.faults([
      { method: 'POST', path: '/v3/orders', rate: 1, kind: 'reset', effect: 'done' },
      { searchLagMs: 3_600_000 },
    ]);
    const uncertain = await stage.place({ [MUG]: 1 });
    await stage.untilState(uncertain, 'submitting', 'uncertain');
    await stage.faults([{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 503 }]);
    const quoted = await stage.place({ [POSTER]: 3 });
    await stage.untilState(quoted, 'quoted');

    stage.makeFolder('backups');
    const { file } = JSON.parse(await stage.platen(['backup', join(stage.home, 'backups'), '--json'])) as {
      file: string;
    };

    await stage.faults([{ searchLagMs: 0 }]);
    await stage.untilPrinted(quoted, uncertain);
    const unknown = await stage.place({ [MUG]: 3 });
    const unknownShipped = await stage.place({ [POSTER]: 1 });
    await stage.untilPrinted(unknown, unknownShipped);
    for (const order of [shippedLater, unknownShipped]) await stage.advance(order, 'shipped');
    await stage.untilShipped(shippedLater, unknownShipped);
    // This request is in flight when the server is lost, and takes effect later.
    const late = { method: 'POST', path: '/v3/orders', kind: 'timeout', effect: 'late', lateMs: LATE_MS, times: 1 };
    await stage.faults([late]);
    const inTheAir = await stage.place({ [POSTER]: 1, [MUG]: 1 });
    const left = async () => ((await stage.control('print', '/faults')) as { times?: number }[])[0]?.times ?? 0;
    await expect.poll(left, { ...LONG, interval: 20 }).toBe(0);
    await kill();
    const placedMeanwhile = await stage.place({ [MUG]: 2 });
    const codesOf = async (order: PlacedOrder) =>
      (await stage.storeOrder(order)).fulfillments.map(({ trackingCodes, notifications }) => ({
        trackingCodes,
        notifications,
      }));
    const shippedBefore = await Promise.all([done, shippedLater, unknownShipped].map(codesOf));

    stage.makeFolder('second');
    const dryRun = await stage.platen(['restore', file, '--dry-run'], 'second');
    expect(dryRun).toMatch(/^The backup can be restored: [^]*Nothing was changed\.\n$/);
    const begun = Date.now();
    const output = await stage.platen(['restore', file], 'second');
    expect(output).toMatch(/^Restored \d+ rows of \d+ tables as of /);
    const [, quietUntil = ''] = /No print orders are submitted before (\S+)\.$/m.exec(output) ?? [];
    expect(Date.parse(quietUntil)).toBeGreaterThan(begun + QUIET_SECONDS * 1000);
    expect(output).toMatch(/Start Platen/);
    await expect(stage.platen(['restore', file], 'second')).rejects.toThrow(/database is not empty/);

    await stage.start('second');
    const after = await stage.place({ [POSTER]: 1 });
    const all = [
      done,
      shippedLater,
      inProduction,
      uncertain,
      quoted,
      unknown,
      unknownShipped,
      inTheAir,
      placedMeanwhile,
      after,
    ];
    await stage.untilPrinted(...all);
    expect(Date.now()).toBeGreaterThan(Date.parse(quietUntil));
    const open = [inProduction, uncertain, quoted, unknown, inTheAir, placedMeanwhile, after];
    for (const order of open) await stage.advance(order, 'shipped');
    await stage.untilShipped(...all);
    const states = async () =>
      (await stage.listOrders())
        .map(({ name, state, holds }) => `${name} ${state} ${holds.map(({ code }) => code).join()}`)
        .toSorted();
    await expect.poll(states, LONG).toEqual(all.map(({ name }) => `${name} fulfilled `).toSorted());

    for (const order of all) {
      const printed = await stage.printedFor(order);
      expect(printed, order.name).toHaveLength(1);
      const units = printed.flatMap(({ items }) => items.map(({ quantity }) => quantity));
      expect(sorted(units), order.name).toEqual(sorted(order.lines.map(({ quantity }) => quantity)));
      const { fulfillments } = await stage.storeOrder(order);
      expect(
        fulfillments.map(({ notifications }) => notifications),
        order.name,
      ).toEqual(fulfillments.map(() => 1));
      const codes = fulfillments.flatMap(({ trackingCodes }) => trackingCodes);
      expect(new Set(codes).size, order.name).toBe(codes.length);
    }
    expect(await Promise.all([done, shippedLater, unknownShipped].map(codesOf))).toEqual(shippedBefore);
    // A draft whose response was lost is deleted after the quiet time.
    const drafts = async () =>
      ((await stage.control('print', '/orders')) as PrintedOrder[]).filter(
        ({ orderType, deleted }) => orderType === 'draft' && deleted !== true,
      );
    await expect.poll(drafts, LONG).toEqual([]);
    expect(await Promise.all(all.map(async (order) => (await stage.printedFor(order)).length))).toEqual(
      all.map(() => 1),
    );
  },
  1_200_000,
);
