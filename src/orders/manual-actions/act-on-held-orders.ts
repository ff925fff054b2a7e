import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { performManualAction, type ManualActionRequest, type ManualActionResult } from './perform-manual-action.ts';

const PAGE = 100;
/**
 * Hold codes that need a separate decision for each order. A bulk action skips an order with such a hold unless the action targets that
 * code.
 */
const NEEDS_SEPARATE_DECISION: readonly HoldCode[] = ['high_risk', 'held_by_hand'];

/** The orders of a bulk action: all that have an open hold with this code. */
interface HeldOrders {
  code: HoldCode;
}

/** Counts the orders that a bulk action covers. */
export async function countHeldOrders(app: App, { id }: Pick<Shop, 'id'>, { code }: HeldOrders): Promise<number> {
  const [found]: { count: number }[] = await app.db.query(
    `select count(*)::int as count ${HELD}`,
    toParameters(id, code),
  );
  return found?.count ?? 0;
}

/**
 * Performs an action on every order that has an open hold with this code, oldest first. Yields each result, or `failed` with the reason why
 * the action is not possible for an order.
 */
export async function* actOnHeldOrders(
  app: App,
  shop: Shop,
  { code, ...asked }: HeldOrders & Pick<ManualActionRequest, 'action' | 'by'>,
): AsyncGenerator<ManualActionResult | { failed: string }> {
  for (let after = '0'; ;) {
    const page: { id: string; order: string }[] = await app.db.query(
      `select o.id, o.shopify_order_id as "order" ${HELD} and o.id > $4 order by o.id limit $5`,
      [...toParameters(shop.id, code), after, PAGE],
    );
    for (const { order } of page) {
      try {
        yield await performManualAction(app, shop, { ...asked, order, printOrder: null });
      } catch (error) {
        if (!(error instanceof NotPossibleError)) throw error;
        yield { failed: error.message };
      }
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

const HELD = `from storefront_orders o
  where o.shop_id = $1
    and exists (select from holds h where h.storefront_order_id = o.id and h.code = $2 and h.resolved_at is null)
    and not exists (select from holds h where h.storefront_order_id = o.id and h.code = any($3) and h.resolved_at is null)`;

function toParameters(shopId: number, code: HoldCode): unknown[] {
  return [shopId, code, NEEDS_SEPARATE_DECISION.filter((one) => one !== code)];
}
