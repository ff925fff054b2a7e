import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { PrintOrders, SubmitAttempts, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { beginQuietTimeAfterRestore } from '../../../src/shops/install/installation.ts';
import { endQuietTime } from '../../../src/shops/print-account/end-quiet-time.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';
import { buyPlanned } from '../waits/buy-planned.ts';

// In v1 and v2, each reference costs a request.

const REQUEST = 'undici:request:create';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterEach(() => shop.inPrint('/faults', []));
afterAll(() => shop.close());

/** Records the requests for a status, by reference, and the create requests. */
function recordCalls(): { statuses: string[]; creates: number } {
  const calls = { statuses: [] as string[], creates: 0 };
  const record = (message: unknown): void => {
    const { request } = message as { request: { origin: string; path: string } };
    if (request.origin !== shop.printUrl) return;
    const reference = request.path.split('/order/status/')[1];
    if (reference !== undefined) calls.statuses.push(reference);
    if (request.path.endsWith('/order/create')) calls.creates += 1;
  };
  subscribe(REQUEST, record);
  onTestFinished(() => void unsubscribe(REQUEST, record));
  return calls;
}

/** Places an order that is quoted and ready to be sent. */
async function buyQuoted(units?: Record<string, number>): Promise<PrintOrder> {
  const { storefrontOrder, printOrder } = await buyPlanned(shop, units);
  await toTasks(shop.app).quote_order({ storefrontOrderId: storefrontOrder.id });
  return printOrder;
}

/** Plans the order, which first rebuilds what a restored database lacks, and then runs the print order's next step. */
async function planAndSendOnce(printOrder: PrintOrder): Promise<PrintOrder> {
  await toTasks(shop.app).plan_order({ storefrontOrderId: printOrder.storefrontOrderId });
  return sendOnce(printOrder);
}

async function sendOnce({ id: printOrderId }: PrintOrder): Promise<PrintOrder> {
  await toTasks(shop.app).submit_print_order({ printOrderId });
  return shop.app.db.manager.findOneByOrFail(PrintOrders, { id: printOrderId });
}

describe.each(['v1', 'v2'] as const)('through %s', (printInterface) => {
  beforeEach(() => shop.set({ printInterface }));
  const failing = (more: object, reference = '') => ({
    path: `/${printInterface}/order/status/${reference}`,
    kind: 'status',
    status: 500,
    ...more,
  });

  test('a restored order is sent only after the references that the database may lack were requested', async () => {
    const printOrder = await buyQuoted();
    await beginQuietTimeAfterRestore(shop.app);
    await endQuietTime(shop.app);
    await shop.inPrint('/faults', [failing({ times: 4 }, printOrder.reference)]);
    const calls = recordCalls();
    for (let failed = 1; failed <= 4; failed += 1)
      expect(await planAndSendOnce(printOrder)).toMatchObject({ state: 'quoted' });
    await shop.inPrint('/faults', [{ seed: 3 }, failing({ rate: 0.2 })]);
    expect(await planAndSendOnce(printOrder)).toMatchObject({ state: 'submitted' });
    expect(new Set(calls.statuses).size).toBe(11);
    expect(calls.statuses.length).toBeGreaterThan(4 + 11);
  });

  test('an unclear order is proven absent although the first known order cannot be read', async () => {
    const controls = [await buyQuoted(), await buyQuoted()];
    for (const control of controls) expect(await sendOnce(control)).toMatchObject({ state: 'submitted' });
    const printOrder = await buyQuoted();
    await shop.inPrint('/faults', [
      { path: `/${printInterface}/order/create`, kind: 'status', status: 500, times: 1 },
      failing({ rate: 1 }, controls[1]?.reference),
    ]);
    expect(await sendOnce(printOrder)).toMatchObject({ state: 'uncertain' });
    await expect
      .poll(async () => (await sendOnce(printOrder), readAbsentSearches(printOrder)), { timeout: 10_000 })
      .toBeGreaterThan(0);
  });
});

async function readAbsentSearches({ id: printOrderId }: PrintOrder): Promise<number> {
  const [attempt] = await shop.app.db.manager.findBy(SubmitAttempts, { printOrderId });
  return attempt?.absentSearches ?? 0;
}
