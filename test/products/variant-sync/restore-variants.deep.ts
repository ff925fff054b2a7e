import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startLeaving } from '../../../src/orders/leave/start-leaving.ts';
import { enqueueSyncAllVariants } from '../../../src/shops/enqueue-shop-jobs.ts';
import { appBehindProxy } from '../../shipments/store-in-between.ts';
import { openInStore, type InStoreWorld } from './synced-variants.ts';

let world: InStoreWorld;
beforeAll(async () => void (world = await openInStore()));
beforeEach(async () => {
  await world.clear();
  await world.set({ hideOutOfStock: true, stockAtLocation: true });
  await world.stock('CARDS', { location: 'service', beside: true, available: 7 });
  await world.connect(['CARDS']);
  await world.workAll();
});
afterAll(() => world.close());

const FOUND = { tracked: false, inventoryPolicy: 'CONTINUE', available: { own: 0, service: 7 } };
const HIDDEN = { tracked: true, inventoryPolicy: 'DENY', available: { own: 0, service: 0 } };
const KEPT = { tracked: false, inventoryPolicy: 'CONTINUE', available: 7 };

const isOut = () => world.reported('CARDS', { EU: 'out-of-stock' });
const isIn = () => world.reported('CARDS', { EU: 'in-stock' });

async function hide(): Promise<void> {
  await isOut();
  await world.workAll();
  expect(await world.stockOf('CARDS')).toEqual(HIDDEN);
}

async function lookAgain(): Promise<void> {
  await enqueueSyncAllVariants(world.app, world.app.db, world.shop.id);
  await world.workAll();
}

/** Runs a job during which the store refuses each of these operations once, with its error code. */
async function workWithRefusals(...refusals: [operation: string, code: string][]): Promise<void> {
  const left = [...refusals];
  const app = await appBehindProxy(world, {
    async before(operation) {
      const at = left.findIndex(([refused]) => refused === operation);
      const [refusal] = at === -1 ? [] : left.splice(at, 1);
      const complaints = [{ field: null, message: 'Not now.', code: refusal?.[1] }];
      const payload = { complaints };
      return refusal ? { data: { at0: payload, inventorySetQuantities: payload } } : null;
    },
  });
  await world.work(app);
  expect(left).toEqual([]);
}

/** Runs a job during which the first call of an operation is lost and has no effect. */
async function workWithLostCall(operation: string): Promise<void> {
  await world.inStore('/faults', [{ operation, rate: 1, kind: 'reset', effect: 'none', times: 1 }]);
  await expect(world.work()).rejects.toMatchObject({ kind: 'network' });
}

test.each([
  { of: 'it can be delivered again', act: isIn },
  { of: 'the shop is leaving', act: () => startLeaving(world.app, world.shop) },
])(
  'when $of, the variant stays tracked and gets a note if the merchant has started to count own stock',
  async ({ act }) => {
    await hide();
    await world.stock('CARDS', { location: 'own', beside: true, available: 5 });
    await act();
    await world.workAll();
    expect(await world.stockOf('CARDS')).toMatchObject({
      tracked: true,
      inventoryPolicy: 'DENY',
      available: { own: 5 },
    });
    expect(await world.row('CARDS')).toMatchObject({
      found: null,
      hiddenAt: null,
      dueAt: null,
      stockNote: { code: 'counted_since' },
    });
  },
);

test("if the store refuses to track a variant, the variant's quantity is restored immediately", async () => {
  await isOut();
  await workWithRefusals(['UpdateVariants', 'INVALID']);
  expect(await world.stockOf('CARDS')).toEqual(FOUND);
  expect(await world.row('CARDS')).toMatchObject({ found: null, hiddenAt: null, stockNote: { code: 'invalid' } });
});

test.each([
  { of: 'can be delivered', later: isIn, expected: FOUND, row: { found: null } },
  { of: 'is out of stock again', later: isOut, expected: HIDDEN, row: { found: KEPT, hiddenAt: expect.any(Date) } },
])('a quantity that the store temporarily refuses is not lost if the variant later $of', async (one) => {
  await hide();
  await isIn();
  await workWithRefusals(['SetQuantities', 'IDEMPOTENCY_CONCURRENT_REQUEST']);
  expect(await world.row('CARDS')).toMatchObject({
    found: KEPT,
    hiddenAt: null,
    stockNote: { code: 'idempotency_concurrent_request' },
  });
  await one.later();
  await lookAgain();
  expect(await world.stockOf('CARDS')).toEqual(one.expected);
  expect(await world.row('CARDS')).toMatchObject(one.row);
});

test.each(['UpdateVariants', 'SetQuantities'])(
  'a restore that is interrupted at %s loses no data, even if the variant is out of stock again',
  async (operation) => {
    await hide();
    await isIn();
    await workWithLostCall(operation);
    await isOut();
    await world.workAll();
    expect(await world.stockOf('CARDS')).toEqual(HIDDEN);
    expect(await world.row('CARDS')).toMatchObject({ found: KEPT, hiddenAt: expect.any(Date) });
    await isIn();
    await world.workAll();
    expect(await world.stockOf('CARDS')).toEqual(FOUND);
  },
);

test('a quantity that someone changed while the variant was unsellable is not restored', async () => {
  await hide();
  await world.stock('CARDS', { location: 'service', beside: true, available: 3 });
  await isIn();
  await world.workAll();
  expect(await world.stockOf('CARDS')).toEqual({ ...FOUND, available: { own: 0, service: 3 } });
  expect(await world.row('CARDS')).toMatchObject({ found: null, hiddenAt: null, stockNote: null });
});

test('an unfinished change is undone once the merchant stocks the variant, and the variant stays untracked', async () => {
  await isOut();
  await workWithLostCall('UpdateVariants');
  await world.stock('CARDS', { location: 'own', beside: true, available: 5 });
  await world.workAll();
  expect(await world.stockOf('CARDS')).toEqual({ ...FOUND, available: { own: 5, service: 7 } });
  expect(await world.row('CARDS')).toMatchObject({ found: null, stockNote: { code: 'own_stock' } });
});
