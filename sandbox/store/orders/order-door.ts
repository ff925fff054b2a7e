import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { jsonOf, textOf } from '../../json-body.ts';
import { Refusal } from '../../refusal.ts';
import { UserError } from '../graphql/answer-mutation.ts';
import { findShop } from '../shop/find-shop.ts';
import { toGid } from '../graphql/gid.ts';
import type { Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { toControlOrder } from './to-control-order.ts';

/** Adds a door at `/orders/:id/…` that does something with an order and answers with the order as it is then. */
export function addOrderDoor(
  router: Router,
  store: Store,
  path: string,
  act: (shop: Shop, order: Order, ctx: Context) => unknown,
): void {
  router.post(`/orders/:id/${path}`, (ctx) => {
    const order = findOrder(store, ctx);
    orConflict(() => act(findShop(store, order.shop), order, ctx));
    ctx.body = toControlOrder(store, findOrder(store, ctx));
  });
}

/** The order of a path, by its GID or by the GID's digits; throws the 404 when there is none. */
export function findOrder(store: Store, ctx: RouterContext): Order {
  const id = String(ctx.params['id']);
  const order = store.order(/^\d+$/.test(id) ? toGid('Order', id) : id);
  if (order) return order;
  throw new Refusal(404, 'not_found', `There is no order ${id}.`);
}

/** The body, or an empty object when there is none. */
export function optionalJson(ctx: Context): unknown {
  return textOf(ctx) === '' ? {} : jsonOf(ctx);
}

/** Runs an act; what the store's own mutations would refuse in `userErrors` is a 409 here. */
function orConflict(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (error instanceof UserError) throw new Refusal(409, 'conflict', error.message);
    throw error;
  }
}
