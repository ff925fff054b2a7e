import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { findWaitingOrders } from '../../orders/unlinked/settle-unlinked-lines.ts';
import { describeTarget, type LinkTarget } from '../../products/links/parse-link.ts';
import { writeLine } from '../../terminal.ts';

/** Reports the orders that were waiting for newly saved print links, and the commands to handle these orders. */
export async function reportWaitingOrders(app: App, shop: Shop, target: LinkTarget | null): Promise<void> {
  const waiting = await findWaitingOrders(app, shop, target);
  if (waiting === null) return;
  const { orders, since } = waiting;
  const placed = orders === 1 ? 'One order placed' : `${orders} orders placed`;
  const link = target === null ? 'these links' : `this link (${describeTarget(target)})`;
  const next =
    'To see these orders, run "platen links waiting". Then run "platen links print" or "platen links leave".';
  writeLine(`${placed} since ${since.slice(0, 10)} ${orders === 1 ? 'is' : 'are'} waiting for ${link}. ${next}`);
}
