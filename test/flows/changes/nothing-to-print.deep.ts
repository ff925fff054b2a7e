import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { Installations, OtherAppStores, Shops } from '../../../src/database/entities/shops.ts';
import { receiveOrder } from '../../../src/orders/intake/receive-order.ts';
import { beginQuietTimeAfterRestore } from '../../../src/shops/install/installation.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import {
  atService,
  attemptsOf,
  deletePrintingData,
  injectFaults,
  placeDuplicate,
  requestReplan,
  printOrdersOf,
  untilPrintedOnce,
  untilNoDueJobs,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;

beforeAll(async () => {
  const environment = { PRINT_TIMEOUT_SECONDS: '1', SUBMIT_DEADLINE_SECONDS: '0.5', SUBMIT_QUIET_SECONDS: '2' };
  platen = await startPlaten({ advanceSeconds: null, environment });
});
afterAll(() => platen.stop());
afterEach(() => injectFaults(platen, []));

const reasonOf = async ({ id }: { id: string }): Promise<string | null> => {
  const [row]: { outcome_reason: string | null }[] = await platen.app.db.query(
    'select outcome_reason from storefront_orders where shopify_order_id = $1',
    [id],
  );
  return row?.outcome_reason ?? null;
};

test.each([
  ['a test order', { 'POSTER-30X40': 1 }, { test: true }, 'test_order'],
  [
    'an order placed before the installation',
    { 'POSTER-30X40': 1 },
    { createdAt: new Date(Date.now() - 3_600_000).toISOString() },
    'placed_before_install',
  ],
  ['an order with only a gift card', { 'GIFT-25': 1 }, {}, 'no_line_of_ours'],
  ['an order with only the merchant’s own stock', { VASE: 1 }, {}, 'no_line_of_ours'],
  ['a refunded order', { 'POSTER-30X40': 1 }, { financialStatus: 'refunded' }, 'refunded'],
] as const)('%s is listed with the state "nothing to do" and a reason', async (_, lines, more, reason) => {
  const order = await platen.placeSkus(lines, more);
  const listed = await platen.untilState(order.id, 'nothing_to_do');
  expect(await reasonOf(order)).toBe(reason);
  expect(listed).toMatchObject({ holds: [], printOrders: [] });
  expect(await platen.timeline(order.id)).toContain('nothing_to_do');
});

test('an order for pickup is not printed', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 }, { deliveryMethod: 'PICK_UP' });
  await platen.untilState(order.id, 'nothing_to_do');
  expect(await atService(platen, order)).toEqual([]);
});

test('an order with delivery to a pickup point is held', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 }, { deliveryMethod: 'PICKUP_POINT' });
  expect((await platen.untilState(order.id, 'held')).holds.map(({ code }) => code)).toEqual(['pickup_point']);
});

test('an unpaid order waits for payment, and is then printed once', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 }, { financialStatus: 'pending' });
  await eventually(() => reasonOf(order)).toBe('unpaid');
  expect((await platen.listed(order.id)).state).toBe('waiting');
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/pay`, {});
  await untilPrintedOnce(platen, [order]);
});

test('if an order contains a gift card and a poster, only the poster is printed', async () => {
  const order = await platen.placeSkus({ 'GIFT-25': 1, 'POSTER-30X40': 1 });
  await untilPrintedOnce(platen, [order]);
  expect((await platen.printedFor(order.name))[0]?.items).toHaveLength(1);
});

test('an order that an earlier installation printed is not reprinted, even though its rows were deleted', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilPrintedOnce(platen, [order]);
  await untilNoDueJobs(platen, order);
  const printedLines: unknown[] = await platen.app.db.query('select * from printed_lines');
  await deletePrintingData(platen, order);
  for (const row of printedLines as { line_item_hash: string; quantity: number }[])
    await platen.app.db.query('insert into printed_lines (line_item_hash, quantity) values ($1, $2)', [
      row.line_item_hash,
      row.quantity,
    ]);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await printOrdersOf(platen, order)).toEqual([]);
  expect(await atService(platen, order)).toHaveLength(1);
});

test('after a restore, an order waits until the quiet time has passed, and its timeline records the reason once', async () => {
  const quietUntil = await beginQuietTimeAfterRestore(platen.app);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'waiting');
  await untilPrintedOnce(platen, [order]);
  const [attempt] = await attemptsOf(platen, order);
  expect(attempt?.begunAt.getTime()).toBeGreaterThanOrEqual(quietUntil.getTime());
  const waits = (await platen.timeline(order.id)).filter((kind) => kind === 'waits');
  expect(waits).toHaveLength(1);
  await platen.app.db.manager.update(Installations, { id: 1 }, { quietUntil: null });
});

test('a webhook about an order that does not exist in the store stores no data', async () => {
  const shopifyOrderId = 'gid://shopify/Order/1';
  await receiveOrder(platen.app, platen.shop, shopifyOrderId);
  const { manager } = platen.app.db;
  await eventually(() => manager.findBy(StorefrontOrders, { shopifyOrderId })).toEqual([]);
  await expect(platen.listed(shopifyOrderId)).rejects.toThrow('does not list');
});

test('if another app prints the shop’s orders through the print account, the orders are held until the merchant allows printing', async () => {
  const example = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilPrintedOnce(platen, [example]);
  const [known] = await printOrdersOf(platen, example);
  if (!known) throw new Error('The example has no print order.');
  await placeDuplicate(
    platen,
    known,
    { orderReferenceId: 'of-another-app' },
    { channel: 'shopify', storeId: 'store-1' },
  );
  await platen.app.jobs.enqueue(platen.app.db, 'check_other_app', { shopId: platen.shop.id });
  await eventually(() => platen.app.db.manager.countBy(OtherAppStores, { shopId: platen.shop.id })).toBe(1);
  const held = await platen.placeSkus({ 'POSTER-30X40': 1 });
  expect((await platen.untilState(held.id, 'held')).holds.map(({ code }) => code)).toEqual(['another_app_prints']);
  expect(await atService(platen, held)).toEqual([]);
  await platen.app.db.manager.update(OtherAppStores, { shopId: platen.shop.id }, { allowedAt: new Date() });
  await platen.app.jobs.enqueue(platen.app.db, 'resume_shop', { shopId: platen.shop.id });
  await untilPrintedOnce(platen, [held]);
  // Makes Platen check for other apps again. Platen has stored the merchant's decision, so the next order is not held.
  await platen.app.db.manager.update(Shops, { id: platen.shop.id }, { otherAppCheckedAt: null });
  const next = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilPrintedOnce(platen, [next]);
});
