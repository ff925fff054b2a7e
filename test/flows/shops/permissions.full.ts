import { In, LessThan } from 'typeorm';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { catchUpStorefrontOrders } from '../../../src/orders/intake/catch-up-storefront-orders.ts';
import { readGrantedScopes, settingsWithoutScope } from '../../../src/shops/tokens/scopes.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { printOrdersOf, untilPrintedOnce } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const DEMO = 'demo.myshopify.com';
const customer = { email: 'ada@example.com' };

// A hold in the store causes a webhook, and the webhook causes a reading, which would change the number of readings that the first test
// counts.
testPlaten({ advanceSeconds: null, settings: { holdsInStore: false } });
beforeAll(async () => {});
afterEach(async () => {
  await platen.control('store', 'POST', '/protected-data', { approved: true });
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  await changeSettings(platen.app, platen.shop, { sendsCustomerId: false });
});

async function changeScopes(change: { grant?: string[]; revoke?: string[] }): Promise<void> {
  await platen.control('store', 'POST', `/shops/${DEMO}/scopes`, change);
}

/** Returns the customer ID that the print service received for an order. */
async function sentCustomerIdOf(order: PlacedOrder): Promise<string> {
  await untilPrintedOnce(platen, [order]);
  const [printed] = await platen.printedFor(order.name);
  return String((printed as { customerReferenceId?: unknown } | undefined)?.customerReferenceId);
}

test('an order with customer data that the app is not approved to read is held, and resumes after the approval', async () => {
  await platen.control('store', 'POST', '/protected-data', { approved: false });
  const orders = await Promise.all(Array.from({ length: 7 }, () => platen.placeSkus({ 'POSTER-30X40': 1 })));
  const held = await Promise.all(orders.map(({ id }) => platen.untilState(id, 'held')));
  // Wait until the orders' webhooks are handled, because they would cause readings during the next step.
  await untilIdle(platen.app);
  for (const { holds } of held) {
    expect(holds).toMatchObject([{ code: 'protected_data', field: 'firstName' }]);
    expect(holds[0]?.message).toMatch(/first name, last name, address line 1, address line 2, postal code, email/);
    expect(holds[0]?.remedy).toMatch(/level 2/);
  }
  // The poll finds no changed order, so it reads only a few orders as a probe, and all orders stay held.
  await postdateReadings(orders);
  await catchUpStorefrontOrders(platen.app, { shopId: platen.shop.id });
  await eventually(() => countReadAgain(orders)).toBe(5);
  expect(await Promise.all(orders.map((order) => platen.printedFor(order.name)))).toEqual(orders.map(() => []));

  await platen.control('store', 'POST', '/protected-data', { approved: true });
  await catchUpStorefrontOrders(platen.app, { shopId: platen.shop.id });
  await eventually(async () =>
    (await Promise.all(orders.map(({ id }) => platen.listed(id)))).filter(isHeld),
  ).toHaveLength(2);
  await catchUpStorefrontOrders(platen.app, { shopId: platen.shop.id });
  await untilPrintedOnce(platen, orders);
  expect((await Promise.all(orders.map(({ id }) => platen.listed(id)))).filter(isHeld)).toEqual([]);
});

describe('the customer ID that is sent to the print service', () => {
  test('the customer ID is sent only if the setting is on and the store has granted the permission', async () => {
    const guest = await platen.placeSkus({ 'POSTER-30X40': 1 }, customer);
    expect(await sentCustomerIdOf(guest)).toBe('demo-guest');

    await expect(changeSettings(platen.app, platen.shop, { sendsCustomerId: true })).rejects.toMatchObject({
      code: 'scope_needed',
      scopes: ['read_customers'],
    });
    await changeScopes({ grant: ['read_customers'] });
    await changeSettings(platen.app, platen.shop, { sendsCustomerId: true });
    const known = await platen.placeSkus({ 'POSTER-30X40': 1 }, customer);
    const reference = await sentCustomerIdOf(known);
    expect(reference).toMatch(/^demo-\d+$/);
    expect(await sentCustomerIdOf(await platen.placeSkus({ 'MUG-11OZ': 1 }, customer))).toBe(reference);
    expect(await sentCustomerIdOf(await platen.placeSkus({ 'MUG-11OZ': 1 }, { email: 'bob@example.com' }))).not.toBe(
      reference,
    );
  });

  test('the customer ID is omitted after the permission is revoked, even if the webhook is lost', async () => {
    await changeScopes({ grant: ['read_customers'] });
    await changeSettings(platen.app, platen.shop, { sendsCustomerId: true });
    await platen.control('store', 'POST', '/webhooks', { drop: 1 });
    await changeScopes({ revoke: ['read_customers'] });
    await platen.control('store', 'POST', '/webhooks', { drop: 0 });
    expect(await readGrantedScopes(platen.app, platen.shop)).toContain('read_customers');

    const order = await platen.placeSkus({ 'POSTER-30X40': 1 }, customer);
    expect(await sentCustomerIdOf(order)).toBe('demo-guest');
    expect(await printOrdersOf(platen, order)).toHaveLength(1);
    const shop = await platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id });
    expect(await settingsWithoutScope(platen.app, shop)).toEqual([
      { setting: 'sendsCustomerId', scope: 'read_customers' },
    ]);
  });
});

/** Moves the orders' reading times forward, so that the orders appear to have been read well after their last change. */
async function postdateReadings(orders: readonly PlacedOrder[]): Promise<void> {
  await platen.app.db.query(
    `update storefront_orders set read_at = now() + interval '1 hour' where shopify_order_id = any($1)`,
    [orders.map(({ id }) => id)],
  );
}

async function countReadAgain(orders: readonly PlacedOrder[]): Promise<number> {
  const shopifyOrderId = In(orders.map(({ id }) => id));
  return platen.app.db.manager.countBy(StorefrontOrders, { shopifyOrderId, readAt: LessThan(platen.app.clock.now()) });
}

function isHeld({ state }: { state: string }): boolean {
  return state === 'held';
}
