import { afterEach, beforeEach, expect, test } from 'vitest';
import { catchUpPrintOrders } from '../../../src/orders/follow/catch-up-print-orders.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

/** More print orders than fit on one page. */
const MANY = 120;

let shop: TestShop;
/** The print order that `add` copies. */
let printOrderId: string;
/**
 * The IDs of three print accounts. Searches with the key of `silent` fail at the service, the key of `unreadable` cannot be decrypted, and
 * `last` works but was never polled.
 */
let silent: number;
let unreadable: number;
let last: number;

beforeEach(async () => {
  shop = await openTestShop();
  const { app } = shop;
  const { printOrder } = await shop.ordered({ 'POSTER-13X18': 1 });
  [printOrderId, silent] = [printOrder.id, printOrder.printAccountId ?? 0];
  ({ id: unreadable } = await findOrCreatePrintAccount(app, 'sandbox-key-another'));
  ({ id: last } = await findOrCreatePrintAccount(app, 'sandbox-key-last'));
  await app.db.query("update print_accounts set key_encrypted = 'v1.gone.a.b' where id = $1", [unreadable]);
  await app.db.query("update print_orders set state = 'fulfilled'");
  await shop.inPrint('/faults', [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
});
afterEach(() => shop.close());

/** Adds print orders to an account that do not exist at the service, and returns their IDs. */
async function add(accountId: number, count: number, what: 'order' | 'order of v2' | 'draft'): Promise<string[]> {
  const rows: { id: string }[] = await shop.app.db.query(
    `with added as (
       insert into print_orders (shop_id, storefront_order_id, print_account_id, shopify_fulfillment_order_id, part, reference, state,
         submit_way, print_interface, plan_sha256, service_order_id, confirm_started_at, confirmed_at)
       select p.shop_id, p.storefront_order_id, $2, p.shopify_fulfillment_order_id, m.part + n, 'copy-' || m.part + n, $4, 'draft', $5, 'x',
         'copy-' || m.part + n, $6, $6
       from print_orders p, (select max(part) as part from print_orders) m, generate_series(1, $3) n where p.id = $1 order by n
       returning id, print_account_id, service_order_id),
     parts as (
       insert into service_orders (print_order_id, print_account_id, service_order_id, role)
       select id, print_account_id, service_order_id, 'chosen' from added)
     select id from added order by id`,
    [
      printOrderId,
      accountId,
      count,
      what === 'draft' ? 'held' : 'submitted',
      what === 'order of v2' ? 'v2' : 'current',
      what === 'draft' ? null : new Date(),
    ],
  );
  return rows.map(({ id }) => id);
}

/** Returns the accounts named in the log lines about failed requests, one per line. */
function failedAccounts(): number[] {
  const lines = shop.logged().split('\n');
  const inVain = lines.filter((line) => line.includes('failed for an account'));
  return inVain.map((line) => (JSON.parse(line) as { accountId: number }).accountId);
}

test('an account whose search fails is searched once per pass and does not block the orders of other accounts', async () => {
  // The IDs of the accounts' orders are interleaved.
  const ofLast = await add(last, 1, 'order of v2');
  await add(unreadable, MANY, 'order of v2');
  await add(silent, MANY, 'order');
  const ofSilent = await add(silent, 1, 'order of v2');
  expect(await catchUpPrintOrders(shop.app)).toEqual({ found: 2, fixed: 0, error: 'print_unavailable' });
  expect(failedAccounts()).toEqual([silent, unreadable]);
  const followed = await readJobPayloads(shop.app.db, 'follow_print_order');
  expect(followed.map((payload) => payload['printOrderId'])).toEqual([...ofSilent, ...ofLast]);
});
