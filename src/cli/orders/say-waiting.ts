import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { findWaiting } from '../../orders/unlinked/settle-unlinked.ts';
import { describeTarget, type LinkTarget } from '../../products/links/parse-link.ts';
import { say } from '../../terminal.ts';

/** Reports the orders that were waiting for newly saved print links, and the commands to handle these orders. */
export async function sayWaiting(app: App, shop: Shop, target: LinkTarget | null): Promise<void> {
  const waiting = await findWaiting(app, shop, target);
  if (waiting === null) return;
  const { orders, since } = waiting;
  const placed = orders === 1 ? 'One order placed' : `${orders} orders placed`;
  const link = target === null ? 'these links' : `this link (${describeTarget(target)})`;
  const next =
    'To see these orders, run "platen links waiting". Then run "platen links print" or "platen links leave".';
  say(`${placed} since ${since.slice(0, 10)} ${orders === 1 ? 'waits' : 'wait'} for ${link}. ${next}`);
}
