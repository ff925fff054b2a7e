import type { App } from '../../app.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { recordResolvedHold, openHoldWithEntry } from '../record/hold-print-order.ts';
import { isActiveSql } from '../../database/is-active.ts';

export const NO_PROGRESS: HoldCode = 'no_progress';
/** Printing takes far less time than this, so Platen holds only orders that are lost. */
export const STALLED_DAYS = 14;
/** Maximum number of holds that one pass opens. The next pass opens the rest. */
const MOST = 500;

/** SQL: print order `p` was confirmed before $1, has not shipped and has shown no progress at the print service since. */
const IS_STALLED = `p.state in ('submitted', 'in_production') and coalesce(p.progress_at, p.confirmed_at) < $1
  and p.fenced_at is null and p.closed_at is null and p.cancel_requested_at is null
  and not exists (select from packages k where k.print_order_id = p.id and coalesce(k.confirmed_at, k.seen_at) >= $1)`;

/** Skips print orders whose hold was resolved recently, and those with another open hold, which are already waiting for the merchant. */
const TO_HOLD = `
  select p.id, p.shop_id as "shopId", p.storefront_order_id as "storefrontOrderId", p.reference,
    p.shopify_fulfillment_order_id as "shopifyFulfillmentOrderId"
  from print_orders p
  where ${IS_STALLED} and exists (select from shops s where s.id = p.shop_id and ${isActiveSql()})
    and not exists (select from holds h where h.print_order_id = p.id
      and (h.resolved_at is null or (h.code = '${NO_PROGRESS}' and h.resolved_at >= $1)))
  order by p.id limit $2 for no key update of p`;

const RESOLVE = `
  update holds h set resolved_at = $2 from print_orders p
  where h.code = '${NO_PROGRESS}' and h.resolved_at is null and p.id = h.print_order_id and not (${IS_STALLED})
  returning case when p.cancel_requested_at is not null or p.closed_at is not null then 'its printing is canceled'
      when p.state in ('canceled', 'failed') then 'it has ended at the print service'
      else 'it is making progress at the print service' end as why, p.id, p.shop_id as "shopId", p.storefront_order_id as "storefrontOrderId", p.reference`;

type StalledRow = Pick<PrintOrder, 'id' | 'shopId' | 'storefrontOrderId' | 'reference'>;
type StalledPrintOrder = StalledRow & Pick<PrintOrder, 'shopifyFulfillmentOrderId'>;

/** Holds print orders that have made no progress at the print service for two weeks, and resolves the hold when progress resumes. */
export async function holdStalledOrders(app: App): Promise<PassResult> {
  const now = app.clock.now();
  const before = new Date(now.getTime() - STALLED_DAYS * 24 * 3600_000);
  return app.db.transaction(async (manager) => {
    const [resolved]: [(StalledRow & { why: string })[], number] = await manager.query(RESOLVE, [before, now]);
    for (const { id: printOrderId, reference, why, ...about } of resolved) {
      const message = `${reference} is no longer held: ${why}.`;
      await recordResolvedHold(manager, { ...about, printOrderId, code: NO_PROGRESS, message });
    }
    const stalled: StalledPrintOrder[] = await manager.query(TO_HOLD, [before, MOST]);
    for (const printOrder of stalled) {
      const message = `${printOrder.reference} has made no progress at the print service for ${STALLED_DAYS} days.`;
      await openHoldWithEntry(manager, printOrder, { code: NO_PROGRESS, message });
    }
    return { found: resolved.length + stalled.length, fixed: stalled.length };
  });
}
