import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { jsonOf, textOf } from '../../json-body.ts';
import { Refusal } from '../../refusal.ts';
import { UserError } from '../graphql/run-mutation.ts';
import { findShop } from '../shop/find-shop.ts';
import { toGid } from '../graphql/gid.ts';
import type { Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { toControlOrder } from './to-control-order.ts';

/** Adds an endpoint at `/orders/:id/…` that runs an action on an order and returns the resulting order. */
export function addOrderEndpoint(
  router: Router,
  store: Store,
  path: string,
  act: (shop: Shop, order: Order, ctx: Context) => unknown,
): void {
  router.post(`/orders/:id/${path}`, (ctx) => {
    const order = findOrder(store, ctx);
    withConflictErrors(() => act(findShop(store, order.shop), order, ctx));
    ctx.body = toControlOrder(store, findOrder(store, ctx));
  });
}

/** Finds the order in a path, by its GID or the GID's digits. Throws a 404 if the order does not exist. */
export function findOrder(store: Store, ctx: RouterContext): Order {
  const id = String(ctx.params['id']);
  const order = store.order(/^\d+$/.test(id) ? toGid('Order', id) : id);
  if (order) return order;
  throw new Refusal(404, 'not_found', `There is no order ${id}.`);
}

/** Returns the JSON body, or an empty object if the body is empty. */
export function optionalJson(ctx: Context): unknown {
  return textOf(ctx) === '' ? {} : jsonOf(ctx);
}

/** Runs an action. Refusals that the store's mutations would return in `userErrors` become a 409. */
function withConflictErrors(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (error instanceof UserError) throw new Refusal(409, 'conflict', error.message);
    throw error;
  }
}
