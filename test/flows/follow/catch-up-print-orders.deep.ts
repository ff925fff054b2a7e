import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, expect, test } from 'vitest';
import { PrintOrders, ServiceOrders } from '../../../src/database/entities/print-orders.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { catchUpPrintOrders } from '../../../src/orders/follow/catch-up-print-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { injectFaults, untilPrintOrder, untilNoDueJobs } from '../submit/submit-helpers.ts';

/** A product that the service prints at another facility and returns as a connected order. */
const OTHER_FACILITY = 'phonecase_apple_iphone-13promax_flexi_transparent_satin';

testPlaten({ advanceSeconds: null, settings: { submit: 'direct' } });
afterEach(() => injectFaults(platen, []));

async function printed(printInterface: 'current' | 'v2'): Promise<string> {
  await changeSettings(platen.app, platen.shop, { printInterface });
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const { id } = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  await untilNoDueJobs(platen, order);
  return id;
}

test('orders on an earlier interface, which has no search, are followed even while searches for other orders fail', async () => {
  await printed('current');
  await printed('v2');
  expect(await catchUpPrintOrders(platen.app)).toMatchObject({ found: 1 });
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
  expect(await catchUpPrintOrders(platen.app)).toMatchObject({ found: 1 });
});

/** Runs a pass and its readings. Returns the number of print orders that it followed and the filters of all searches. */
async function pass(): Promise<{ found: number; searches: string[] }> {
  const searches: string[] = [];
  const record = (message: unknown): void => {
    const { request } = message as { request: { origin: string; path: string; body: Buffer | null } };
    if (request.origin !== platen.printUrl || request.path !== '/v4/orders:search') return;
    searches.push(...Object.keys(JSON.parse(String(request.body)) as object).filter((name) => name.endsWith('ds')));
  };
  subscribe('undici:request:create', record);
  try {
    const { found } = await catchUpPrintOrders(platen.app);
    await untilIdle(platen.app);
    return { found, searches };
  } finally {
    unsubscribe('undici:request:create', record);
  }
}

test.each([
  { calls: 'only the documented calls', extendedCalls: false, again: { found: 0, searches: ['ids'] } },
  { calls: 'the extended calls', extendedCalls: true, again: { found: 2, searches: ['ids'] } },
])(
  'orders that shipped without a tracking code are read again by each pass only where a reading can show the code: $calls',
  async ({ extendedCalls, again }) => {
    await changeSettings(platen.app, platen.shop, { extendedCalls });
    await platen.app.db.query("update print_orders set state = 'fulfilled'");
    await platen.control('print', 'POST', '/webhooks', { drop: 1 });
    for (const id of [await printed('current'), await printed('current')]) {
      const { serviceOrderId } = await platen.app.db.manager.findOneByOrFail(PrintOrders, { id });
      await platen.control('print', 'POST', `/orders/${serviceOrderId}/advance`, { to: 'shipped', packages: [] });
    }
    expect(await pass()).toMatchObject({ found: 2 });
    expect(await pass()).toEqual(again);
  },
);

test('a part that the service adds to an order is found by a pass', async () => {
  await changeSettings(platen.app, platen.shop, { extendedCalls: false, printInterface: 'current' });
  await platen.app.db.query("update print_orders set state = 'fulfilled'");
  await platen.app.db.manager.update(PrintLinks, { sku: 'TSHIRT-L' }, { productUid: OTHER_FACILITY });
  const order = await platen.placeSkus({ 'POSTER-13X18': 1, 'TSHIRT-L': 1 });
  const { id } = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  await untilNoDueJobs(platen, order);
  const part = { printOrderId: id, role: 'part' } as const;
  expect(await platen.app.db.manager.countBy(ServiceOrders, part)).toBe(1);
  await pass();
  await platen.app.db.manager.delete(ServiceOrders, part);
  expect(await pass()).toMatchObject({ found: 1 });
  expect(await platen.app.db.manager.countBy(ServiceOrders, part)).toBe(1);
  expect(await pass()).toMatchObject({ found: 0 });
});

test('an order that a search does not show is searched by reference, with others, until it may be missing', async () => {
  await changeSettings(platen.app, platen.shop, { extendedCalls: false });
  await platen.app.db.query("update print_orders set state = 'fulfilled'");
  const ids = [await printed('current'), await printed('current')];
  await platen.app.db.query(
    `update service_orders set service_order_id = 'gone-' || id where print_order_id = any($1)`,
    [ids],
  );
  await platen.app.db.query(
    `update print_orders set service_order_id = 'gone', reference = 'x' || reference where id = $1`,
    [ids[0]],
  );
  // The service shows the second order under another ID.
  expect(await pass()).toEqual({ found: 1, searches: ['ids', 'orderReferenceIds', 'orderReferenceIds'] });
});

test('a pass skips the orders of an uninstalled shop and finds all others', async () => {
  const id = await printed('v2');
  const { app } = platen;
  const { found: before } = await catchUpPrintOrders(app);
  // Adds 1 print order of an uninstalled shop and 120 of this shop.
  await app.db.query(
    `insert into shops (domain, state, currency, takes_orders_from) values ('gone.myshopify.com', 'uninstalled', 'USD', now())`,
  );
  await app.db.query(
    `with copies as (
       insert into print_orders (shop_id, storefront_order_id, print_account_id, shopify_fulfillment_order_id, part, reference, state,
         submit_way, print_interface, plan_sha256, service_order_id, confirm_started_at, confirmed_at)
       select case when n = 0 then (select id from shops where domain = 'gone.myshopify.com') else p.shop_id end, p.storefront_order_id,
         p.print_account_id, p.shopify_fulfillment_order_id, 100 + n, 'copy-' || n, 'submitted', 'direct', 'v2', 'x', 'copy-' || n, now(), now()
       from print_orders p, generate_series(0, 120) n where p.id = $1 order by n
       returning id, print_account_id, service_order_id)
     insert into service_orders (print_order_id, print_account_id, service_order_id, role)
     select id, print_account_id, service_order_id, 'chosen' from copies`,
    [id],
  );
  expect(await catchUpPrintOrders(app)).toMatchObject({ found: before + 120 });
});
