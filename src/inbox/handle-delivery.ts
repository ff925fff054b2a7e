import { IsNull } from 'typeorm';
import type { App } from '../app.ts';
import { Deliveries } from '../database/deliveries.ts';
import { PlatenError } from '../errors.ts';
import { findShop } from '../shops/find-shop.ts';
import { findHandler, isForUninstalled } from './handlers.ts';
import type { Handler } from './handlers.ts';

/**
 * Hands a stored delivery to the function of the domain that its topic belongs to, and notes the result. Safe to run twice: one that
 * is handled, or removed by retention, is left alone. What the domain throws leaves it unhandled, and the queue tries again; but what
 * needs the API of a shop that must sign in has to wait for nothing: after the sign-in everything is read anew.
 */
export async function handleDelivery(app: App, { deliveryId }: { deliveryId: string }): Promise<void> {
  const deliveries = app.db.getRepository(Deliveries);
  const delivery = await deliveries.findOneBy({ id: deliveryId });
  if (!delivery || delivery.handledAt) return;
  const shop = await findShop(app, delivery.shopId);
  const handle = shop.state === 'uninstalled' && !isForUninstalled(delivery) ? null : findHandler(delivery);
  const result = handle ? await run(() => handle(app, shop, delivery)) : toResult(shop.state);
  await deliveries.update({ id: deliveryId, handledAt: IsNull() }, { handledAt: app.now(), result });
}

async function run(handle: () => ReturnType<Handler>): Promise<string> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof PlatenError && error.code === 'shop_needs_sign_in') return error.code;
    throw error;
  }
}

function toResult(state: string): string {
  return state === 'uninstalled' ? 'shop_uninstalled' : 'unknown_topic';
}
