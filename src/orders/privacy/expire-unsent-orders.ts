import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { stateInSql } from '../facts/order-state.ts';
import { enqueueRedaction } from '../enqueue/enqueue-redaction.ts';

/** Orders per pass. The next pass processes the rest. */
const MOST = 1_000;

/**
 * Gives up on the shop's orders with a print order that was created before `longest` and never sent. These orders are treated as redacted,
 * so they are closed, erased and never planned again. Their timeline tells the merchant what remains to be done.
 */
export async function expireUnsentOrders(
  app: App,
  manager: EntityManager,
  shop: Pick<Shop, 'id'>,
  longest: Date,
): Promise<void> {
  const [expired]: [{ id: string }[], number] = await manager.query(
    `update storefront_orders set redacted_at = $3, outcome = 'nothing_to_do', outcome_reason = 'data_expired'
     where redacted_at is null and id in (
       select p.storefront_order_id from print_orders p
       where p.shop_id = $1 and (p.recipient_encrypted is not null or p.body_encrypted is not null) and p.created_at < $2
         and ${stateInSql('unordered')}
         and p.confirmed_at is null and p.closed_at is null and p.fenced_at is null
       limit $4)
     returning id`,
    [shop.id, longest, app.clock.now(), MOST],
  );
  for (const { id: storefrontOrderId } of expired) {
    await writeTimeline(manager, {
      shopId: shop.id,
      storefrontOrderId,
      kind: 'data_expired',
      message:
        'Part of this order was not sent to print within 90 days. Platen stores addresses for at most 90 days, so it cannot send the rest of this order. Fulfill the rest by hand, or refund the buyer.',
    });
    await enqueueRedaction(manager, storefrontOrderId);
  }
}
