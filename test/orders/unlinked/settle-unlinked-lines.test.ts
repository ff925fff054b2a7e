import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  Holds,
  OrderLines,
  StorefrontOrders,
  type OrderLine,
  type StorefrontOrder,
} from '../../../src/database/entities/orders.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { planLinkedOrders } from '../../../src/orders/plan-linked-orders.ts';
import { listUnlinkedVariants } from '../../../src/orders/unlinked/list-unlinked-variants.ts';
import { markOwnStock } from '../../../src/orders/unlinked/mark-own-stock.ts';
import { findWaitingOrders, settleUnlinkedLines } from '../../../src/orders/unlinked/settle-unlinked-lines.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { addShop, readJobPayloads, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

const gid = (id: number | string) => `gid://shopify/ProductVariant/${id}`;
const MUG = { shopifyVariantId: gid(1), sku: null };
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

let app: OpenTestApp;
let shop: Shop;
let number = 1000;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops');
  await app.db.query('delete from graphile_worker._private_jobs');
  shop = await addShop(app.db);
  await app.db.manager.update(Shops, { id: shop.id }, { takesOrdersFrom: LONG_AGO, installedAt: LONG_AGO });
});

const link = (shopifyVariantId: string | null, sku: string | null = null, of = shop) =>
  app.db.manager.insert(PrintLinks, { shopId: of.id, shopifyVariantId, sku, productUid: 'mug', fileUrl: null });

interface Placed {
  order?: Partial<StorefrontOrder>;
  line?: Partial<OrderLine>;
  of?: Shop;
  /** Whether the line is held as not linked. If false, the line is left to the merchant. */
  isHeld?: boolean;
}

/** Adds an order for two units of the unlinked variant 1 (SKU MUG), and returns the order's ID. */
async function place({ order = {}, line = {}, of = shop, isHeld = false }: Placed = {}): Promise<string> {
  number += 1;
  const { id } = await app.db.manager.save(StorefrontOrders, {
    shopId: of.id,
    shopifyOrderId: `gid://shopify/Order/${number}`,
    name: `#${number}`,
    placedAt: new Date('2026-11-01T00:00:00Z'),
    ...order,
  });
  const shopifyLineItemId = `gid://shopify/LineItem/${number}`;
  const decided = isHeld
    ? ({ decision: 'held', reason: 'not_linked' } as const)
    : ({ decision: 'not_ours', reason: 'not_printed' } as const);
  await app.db.manager.insert(OrderLines, {
    storefrontOrderId: id,
    shopifyLineItemId,
    shopifyVariantId: gid(1),
    shopifyProductId: 'gid://shopify/Product/7',
    sku: 'MUG',
    orderedQuantity: 2,
    ...decided,
    ...line,
  });
  const hold = { shopId: of.id, storefrontOrderId: id, shopifyLineItemId, code: 'not_linked', message: 'It waits.' };
  if (isHeld) await app.db.manager.insert(Holds, hold);
  return id;
}

const settle = (
  word: 'print' | 'leave',
  target: typeof MUG | { shopifyVariantId: null; sku: string } | null,
  isDryRun = false,
) => settleUnlinkedLines(app, shop, { word, target, isDryRun, by: 'merchant' });

/** Runs the enqueued `plan_linked_orders` jobs and returns the orders for which a plan job is enqueued. */
async function run(): Promise<unknown[]> {
  for (const payload of await readJobPayloads(app.db, 'plan_linked_orders'))
    await planLinkedOrders(app, payload as { shopId: number });
  return (await readJobPayloads(app.db, 'plan_order')).map(({ storefrontOrderId }) => storefrontOrderId);
}

const decisions = async () =>
  (await app.db.manager.find(OrderLines, { order: { storefrontOrderId: 'ASC' } })).map(
    ({ decision, reason }) => `${decision} ${reason}`,
  );

describe('the list of orders that wait for a print link', () => {
  test('the list groups held lines by variant, and includes lines left to the merchant once their variant is linked', async () => {
    await place({ isHeld: true });
    await place({ isHeld: true, order: { placedAt: new Date('2026-10-01T00:00:00Z') } });
    await place({ line: { shopifyVariantId: gid(2), sku: 'CUP' } });
    expect(await listUnlinkedVariants(app, shop)).toMatchObject({
      variants: [
        {
          variantId: gid(1),
          sku: 'MUG',
          adminUrl: expect.stringContaining('/products/7/variants/1'),
          orders: 2,
          units: 4,
          since: '2026-10-01T00:00:00.000Z',
          linked: false,
        },
      ],
      orders: { notLinked: 2, linked: 0 },
      next: null,
    });
    await link(gid(2));
    expect((await listUnlinkedVariants(app, shop)).orders).toEqual({ notLinked: 2, linked: 1 });
    expect(await findWaitingOrders(app, shop, null)).toEqual({ orders: 1, since: '2026-11-01T00:00:00.000Z' });
  });

  test.each([
    ['was canceled', { order: { canceledAt: new Date() } }],
    ['is no longer paid', { order: { outcomeReason: 'not_payable' } }],
    ["was placed before the shop's start date for orders", { order: { placedAt: new Date('2025-12-31T00:00:00Z') } }],
    ['was canceled in Platen', { order: { cancelAskedAt: new Date() } }],
    ['has had its customer data erased', { order: { redactedAt: new Date() } }],
    ['is fulfilled', { line: { fulfilledQuantity: 2 } }],
    ['contains only another variant', { line: { shopifyVariantId: gid(2), sku: 'CUP' } }],
    ['was left to the merchant permanently', { line: { reason: 'declined' } }],
    ['contains only a gift card', { line: { reason: 'gift_card' } }],
  ] satisfies [string, Placed][])('the list does not include an order that %s', async (_, placed) => {
    await place(placed);
    await link(gid(1));
    expect(await findWaitingOrders(app, shop, null)).toBeNull();
    await place();
    expect(await findWaitingOrders(app, shop, null)).toMatchObject({ orders: 1 });
  });
});

describe('resolving orders with unlinked lines', () => {
  test('saving a print link alone plans no unlinked order, because the merchant must decide', async () => {
    await place();
    await place({ isHeld: true });
    await link(gid(1));
    await planLinkedOrders(app, { shopId: shop.id });
    expect(await run()).toEqual([]);
    expect(await decisions()).toEqual(['not_ours not_printed', 'held not_linked']);
  });

  test('"print" replans each matching order once, and a dry run only lists the orders', async () => {
    const ids = [await place(), await place({ isHeld: true })];
    await place({ line: { shopifyVariantId: gid(2), sku: 'CUP' } });
    await link(gid(1));
    await link(gid(2));
    const dry = await settle('print', MUG, true);
    expect(dry).toMatchObject({ dryRun: true, orders: 2, units: 4, since: '2026-11-01T00:00:00.000Z' });
    expect(dry.found.map(({ lines }) => lines)).toEqual([[{ sku: 'MUG', quantity: 2 }], [{ sku: 'MUG', quantity: 2 }]]);
    expect(await run()).toEqual([]);
    expect(await settle('print', MUG)).toMatchObject({ dryRun: false, orders: 2, found: [] });
    expect(await run()).toEqual(ids);
    expect(await decisions()).toEqual(['held null', 'held null', 'not_ours not_printed']);
    expect(await settle('print', MUG)).toMatchObject({ orders: 0 });
    const entries = await app.db.query(`select "by" from timeline_entries where kind = 'print_unlinked'`);
    expect(entries).toEqual([{ by: 'merchant' }, { by: 'merchant' }]);
  });

  test('"leave" is recorded in the timeline, and the orders are no longer listed', async () => {
    await place({ isHeld: true });
    await place();
    await link(gid(1));
    await settle('leave', MUG);
    await run();
    expect(await decisions()).toEqual(['not_ours declined', 'not_ours declined']);
    expect(await findWaitingOrders(app, shop, null)).toBeNull();
  });

  test('with the setting `printsWaitingOrders` on, saving a print link prints the orders that were waiting for the link', async () => {
    const id = await place();
    await link(gid(1));
    await changeSettings(app, shop, { printsWaitingOrders: true });
    expect(await readJobPayloads(app.db, 'resume_shop')).toEqual([]);
    await planLinkedOrders(app, { shopId: shop.id });
    expect(await run()).toEqual([id]);
    expect(await app.db.query('select "by" from timeline_entries')).toEqual([{ by: 'platen' }]);
  });

  test('marking a product as own stock plans its held orders again, except those of a linked variant', async () => {
    const id = await place({ isHeld: true });
    await place({ isHeld: true, line: { shopifyVariantId: gid(2), sku: 'CUP' } });
    await link(gid(2));
    expect(await markOwnStock(app, shop, { productId: 7 }, { by: 'cli' })).toBe(true);
    expect(await markOwnStock(app, shop, { productId: 'gid://shopify/Product/7' }, { by: 'cli' })).toBe(false);
    expect(await run()).toEqual([id]);
    expect(await markOwnStock(app, shop, { productId: '7' }, { by: 'cli', isUndone: true })).toBe(true);
    expect(await markOwnStock(app, shop, { productId: '7' }, { by: 'cli', isUndone: true })).toBe(false);
  });
});
