import type { App } from '../app.ts';

/** Print orders taken up in one pass; the next pass takes the rest. */
const MOST = 500;

/**
 * Takes up print orders whose outcome is open, whose reference is to be fenced or whose cancellation is under way, should
 * their job be lost. A job that waits keeps its time. Returns how many there are.
 */
export async function catchUpUncertain(app: App): Promise<number> {
  const open: { id: string; storefront_order_id: string }[] = await app.db.query(
    `select p.id, p.storefront_order_id from print_orders p join shops on shops.id = p.shop_id and shops.state = 'installed'
     where p.state in ('submitting', 'uncertain')
        or (p.fenced_at is null and (p.closed_at is not null or p.cancel_requested_at is not null))
     order by p.id limit $1`,
    [MOST],
  );
  for (const { id, storefront_order_id: storefrontOrderId } of open) {
    const options = { queue: `order:${storefrontOrderId}`, key: `submit:${id}`, keyMode: 'preserve_run_at' as const };
    await app.jobs.enqueue(app.db, 'submit_print_order', { printOrderId: id }, options);
  }
  return open.length;
}
