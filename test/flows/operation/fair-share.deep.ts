import { In } from 'typeorm';
import { expect, onTestFinished, test } from 'vitest';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { openOtherShop } from '../../helpers/open-other-shop.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { eventually } from '../../helpers/eventually.ts';

const SKU = 'POSTER-30X40';
const BURST_ORDERS = 1_500;
const SMALL_SHOPS = 10;
/** The number of concurrent requests to the store stand-in. */
const CONCURRENT = 10;
/** The big shop has more than 4,000 jobs. At most this number of the big shop's jobs may run before an order of a small shop is planned. */
const MAX_EARLIER_JOBS = 100;

/** Places orders for one poster each. */
async function placeIn({ control, placeOrder }: Platen, domain: string, orders: number): Promise<void> {
  const variants = (await control('store', 'GET', `/variants?shop=${domain}`)) as { sku: string; variantId: string }[];
  const variantId = variants.find(({ sku }) => sku === SKU)?.variantId;
  let left = orders;
  const place = async (): Promise<void> => {
    while (left-- > 0) await placeOrder({ shop: domain, lines: [{ variantId, quantity: 1 }] });
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT, orders) }, place));
}

test('orders of ten small shops are printed while most of another shop’s 1,500 orders are still waiting', async () => {
  const platen = await startPlaten({ time: 'real', advanceSeconds: null });
  onTestFinished(() => platen.stop());
  const { app, shop: big } = platen;
  const small: Shop[] = [];
  for (let number = 0; number < SMALL_SHOPS; number += 1)
    small.push(
      await openOtherShop(platen, { domain: `small-${number}.myshopify.com`, printKey: `sandbox-key-${number}` }),
    );
  await placeIn(platen, big.domain, BURST_ORDERS);
  const countDue = async (): Promise<number> => {
    const [due]: { jobs: number }[] = await app.db.query(
      'select count(*)::int as jobs from graphile_worker.jobs where run_at <= now()',
    );
    return due?.jobs ?? 0;
  };
  await eventually(countDue).toBeGreaterThan(BURST_ORDERS * 0.7);
  for (const { domain } of small) await placeIn(platen, domain, 1);

  const ids = small.map(({ id }) => id);
  const countSubmitted = () => app.db.manager.count(PrintOrders, { where: { shopId: In(ids), state: 'submitted' } });
  await eventually(countSubmitted).toBe(SMALL_SHOPS);
  expect(await countDue()).toBeGreaterThan(BURST_ORDERS / 2);
  const turns: { shop: number; before: number }[] = await app.db.query(EARLIER_JOBS_SQL, [big.id, ids]);
  expect(turns).toHaveLength(SMALL_SHOPS);
  for (const { before } of turns) expect(before).toBeLessThan(MAX_EARLIER_JOBS);
}, 600_000);

/**
 * For each small shop, counts the big shop's jobs (plans and deliveries that need a job) that ended between the first webhook and the
 * plan of the small shop's order.
 */
const EARLIER_JOBS_SQL = `
  select o.shop_id as shop,
    (select count(*) from deliveries d where d.shop_id = $1 and d.handled_at between n.at and o.read_at and d.handled_at > d.received_at)::int
    + (select count(*) from storefront_orders b where b.shop_id = $1 and b.read_at between n.at and o.read_at)::int as before
  from storefront_orders o
  join (select shop_id, min(received_at) as at from deliveries where topic like 'orders/%' group by shop_id) n using (shop_id)
  where o.shop_id = any ($2) and o.read_at is not null`;
