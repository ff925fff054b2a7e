import type { EntityManager } from 'typeorm';

/** SQL of a print order `p` of shop `$1`: it may still be stopped, and its end can be proven: on the direct way, what was claimed may be at the service already. */
export const UNSENT = `p.shop_id = $1 and p.confirmed_at is null and p.closed_at is null and p.cancel_requested_at is null
  and p.fenced_at is null and p.state in ('planned', 'quoted', 'submitting', 'uncertain', 'held')
  and (p.submit_way = 'draft' or p.confirm_started_at is null)`;

/** Why nothing of a shop is sent any more, as the timeline says it. */
const WHY = { uninstalled: 'the shop removed Platen', left: 'the shop was left (`platen leave`)' };

/**
 * Closes what of a shop was not sent to print, in the transaction in which the shop removes Platen, or is left: who claims a print order or
 * confirms a draft asks for an open reference in a transaction of its own, so nothing is begun after this one. A draft whose confirm
 * is under way is closed too: should the service have taken it, that is found, and followed, once the shop comes back.
 */
export async function closeUnsent(
  manager: EntityManager,
  shopId: number,
  { reason, now }: { reason: keyof typeof WHY; now: Date },
): Promise<void> {
  await manager.query(
    `with closed as (
       update print_orders p set closed_at = $2, closed_reason = $3 where ${UNSENT}
       returning p.id, p.storefront_order_id, p.reference)
     insert into timeline_entries (shop_id, storefront_order_id, print_order_id, kind, message, data, by)
     select $1, storefront_order_id, id, 'closed',
       reference || ' is closed before it was printed: ' || $4 || '.', jsonb_build_object('reason', $3::text), 'platen'
     from closed`,
    [shopId, now, reason, WHY[reason]],
  );
}
