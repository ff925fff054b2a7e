import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { catchUpPrintOrders } from '../../../src/orders/follow/catch-up-print-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { injectFaults, untilPrintOrder, untilNoDueJobs } from '../submit/submit-helpers.ts';

let platen: Platen;

beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null, settings: { submit: 'direct' } });
});
afterAll(() => platen.stop());
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
