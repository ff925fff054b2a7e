import type { App } from '../app.ts';
import { Deliveries } from '../database/entities/deliveries.ts';
import { IS_EVENT_OF_REDACTED_ORDER } from '../orders/privacy/order-events.ts';
import { PlatenError } from '../errors.ts';
import { findShop } from '../shops/find-shop.ts';
import { findHandler, isHandledAfterUninstall } from './handlers.ts';
import type { Handler } from './handlers.ts';

/**
 * Passes a stored delivery to the handler for its topic, and records the result. Safe to run twice: a delivery that was already handled, or
 * that was deleted as old data, is skipped. If an error occurs, the delivery stays unhandled and the queue retries the job. If the shop
 * must sign in again, the delivery is not retried, because everything is read again after the sign-in.
 */
export async function handleDelivery(app: App, { deliveryId }: { deliveryId: string }): Promise<void> {
  const delivery = await app.db.manager.findOneBy(Deliveries, { id: deliveryId });
  if (!delivery || delivery.handledAt) return;
  const shop = await findShop(app, delivery.shopId);
  const handle = shop.state === 'uninstalled' && !isHandledAfterUninstall(delivery) ? null : findHandler(delivery);
  const result = handle ? await runHandler(() => handle(app, shop, delivery)) : toResult(shop.state);
  await app.db.query(HANDLED, [deliveryId, app.clock.now(), result]);
}

/** Records the result. If a handled event is about an order whose customer was redacted, its body is deleted. */
const HANDLED = `
  update deliveries d set handled_at = $2, result = $3, body = case when not (${IS_EVENT_OF_REDACTED_ORDER}) then d.body end
  where id = $1 and handled_at is null`;

/** Codes of errors after which everything is read again, once someone has removed the cause. */
const UNREADABLE: ReadonlySet<string> = new Set(['shop_needs_sign_in', 'fenced_off']);

async function runHandler(handle: () => ReturnType<Handler>): Promise<string> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof PlatenError && UNREADABLE.has(error.code)) return error.code;
    throw error;
  }
}

function toResult(state: string): string {
  return state === 'uninstalled' ? 'shop_uninstalled' : 'unknown_topic';
}
