import type { EntityManager } from 'typeorm';

/**
 * SQL condition for a print order `p` in shop `$1` that can still be stopped with certainty. A print order that is being created directly
 * is excluded, because it may already be at the service.
 */
export const CAN_BE_STOPPED = `p.shop_id = $1 and p.confirmed_at is null and p.closed_at is null and p.cancel_requested_at is null
  and p.fenced_at is null and p.state in ('planned', 'quoted', 'submitting', 'uncertain', 'held')
  and (p.submit_way = 'draft' or p.confirm_started_at is null)`;

/** The reasons for closing a shop's unsent print orders, as worded in the timeline. */
const REASONS = { uninstalled: 'Platen was uninstalled from the store', left: 'Platen was stopped for the store' };

/**
 * Closes a shop's unsent print orders, in the transaction that records an uninstall or a `platen leave`. A claim and a confirm request each
 * check in their own transaction that the print order is open, so none starts after this transaction. A draft whose confirm request is in
 * progress is also closed. If the service has confirmed the draft, Platen finds and follows the order when the shop returns.
 */
export async function closeUnsentOrders(
  manager: EntityManager,
  shopId: number,
  { reason, now }: { reason: keyof typeof REASONS; now: Date },
): Promise<void> {
  await manager.query(
    `with closed as (
       update print_orders p set closed_at = $2, closed_reason = $3 where ${CAN_BE_STOPPED}
       returning p.id, p.storefront_order_id, p.reference)
     insert into timeline_entries (shop_id, storefront_order_id, print_order_id, kind, message, data, by)
     select $1, storefront_order_id, id, 'closed',
       reference || ' was closed before it was printed: ' || $4 || '.', jsonb_build_object('reason', $3::text), 'platen'
     from closed`,
    [shopId, now, reason, REASONS[reason]],
  );
}
