import type Router from '@koa/router';
import { z } from 'zod';
import { parseOrRefuse } from '../../refusal.ts';
import { UserError } from '../graphql/run-mutation.ts';
import { type Draft, draftFulfillmentOrder, type LineQuantity } from './fulfillment-order-parts.ts';
import { respondToRequest, submitCancellationRequest, submitFulfillmentRequest } from './fulfillment-requests.ts';
import { holdFulfillmentOrder, releaseHolds } from './hold-fulfillment-order.ts';
import { findMergeable, mergeFulfillmentOrders } from './merge-fulfillment-orders.ts';
import { moveFulfillmentOrder } from './move-fulfillment-order.ts';
import { addOrderEndpoint, optionalJson } from '../orders/order-endpoint.ts';
import { openFulfillmentOrder } from './report-progress.ts';
import { rescheduleFulfillmentOrder } from './schedule-fulfillment-orders.ts';
import { splitFulfillmentOrder } from './split-fulfillment-order.ts';
import type { FulfillmentOrder, Order, Shop } from '../state.ts';
import { locationOf } from '../products/stock-variant.ts';
import type { Store } from '../store.ts';
import { withdrawRequest } from './withdraw-request.ts';

const unitsSchema = z.array(z.strictObject({ id: z.string(), quantity: z.int().min(1) })).min(1);
/** Without an ID, the action applies to all fulfillment orders of the order that allow the action. */
const choiceSchema = z.strictObject({ fulfillmentOrderId: z.string().optional() });
const messageSchema = choiceSchema.extend({ message: z.string().nullable().default(null) });
const holdSchema = messageSchema.extend({ reason: z.string().default('OTHER') });
const moveSchema = choiceSchema.extend({ to: z.enum(['service', 'own', 'other']), lines: unitsSchema.optional() });
const splitSchema = choiceSchema.extend({ lines: unitsSchema });
const mergeSchema = z.strictObject({ fulfillmentOrderIds: z.array(z.string()).min(2).optional() });
const rescheduleSchema = choiceSchema.extend({ fulfillAt: z.iso.datetime() });

/** Adds the endpoints for actions that a merchant or another app performs on fulfillment orders. */
export function addFulfillmentOrderEndpoints(router: Router, store: Store): void {
  const add = <Input extends z.output<typeof choiceSchema>>(
    path: string,
    schema: z.ZodType<Input>,
    act: (shop: Shop, draft: Draft, input: Input) => void,
  ) =>
    addOrderEndpoint(router, store, path, (shop, order, ctx) => {
      const input = parseOrRefuse(schema, optionalJson(ctx));
      actOnAll(store, shop, order, input.fulfillmentOrderId, (draft) => act(shop, draft, input));
    });
  add('hold', holdSchema, (shop, draft, { message, reason }) =>
    holdFulfillmentOrder(store, shop, draft, { handle: null, reason, reasonNotes: message, heldByApp: false }),
  );
  add('release', holdSchema, (_, draft) => releaseHolds(store, draft));
  add('request-fulfillment', holdSchema, (shop, draft, { message }) =>
    submitFulfillmentRequest(store, shop, draft, { message }),
  );
  add('request-cancellation', holdSchema, (shop, draft, { message }) =>
    submitCancellationRequest(store, shop, draft, message),
  );
  add('withdraw', choiceSchema, (_, draft) => withdrawRequest(store, draft));
  add('move', moveSchema, (shop, draft, { to, lines }) => moveToLocation(store, shop, draft, to, lines));
  add('split', splitSchema, (shop, draft, { lines }) =>
    splitFulfillmentOrder(store, shop, draft, toOwnLines(draft.fulfillmentOrder, lines)),
  );
  add('reschedule', rescheduleSchema, (_, draft, { fulfillAt }) => rescheduleFulfillmentOrder(store, draft, fulfillAt));
  add('open', choiceSchema, (shop, draft) => openFulfillmentOrder(store, shop, draft));
  add('close', messageSchema, (_, draft, { message }) =>
    respondToRequest(store, draft, 'close', { message, reason: null, lines: [] }),
  );
  addOrderEndpoint(router, store, 'merge', (shop, order, ctx) => {
    const { fulfillmentOrderIds } = parseOrRefuse(mergeSchema, optionalJson(ctx));
    const ids = fulfillmentOrderIds ?? mergeableIds(shop, order);
    mergeFulfillmentOrders(
      store,
      shop,
      ids.map((fulfillmentOrderId) => ({ fulfillmentOrderId })),
    );
  });
}

function moveToLocation(
  store: Store,
  shop: Shop,
  draft: Draft,
  to: 'service' | 'own' | 'other',
  lines: LineQuantity[] | undefined,
): void {
  const locationId = locationOf(store, shop, to);
  if (locationId === draft.fulfillmentOrder.locationId)
    throw new UserError(['id'], 'The fulfillment order is already at this location.');
  const wanted = lines && toOwnLines(draft.fulfillmentOrder, lines);
  moveFulfillmentOrder(store, store.shop(shop.domain) ?? shop, draft, { locationId, lines: wanted ?? null });
}

/** Returns the requested lines of a fulfillment order, identified by their own IDs or their line items' IDs. */
function toOwnLines(fulfillmentOrder: FulfillmentOrder, lines: readonly LineQuantity[]): LineQuantity[] {
  return lines.map(({ id, quantity }) => {
    const line = fulfillmentOrder.lines.find((one) => one.id === id || one.lineItemId === id);
    if (line) return { id: line.id, quantity };
    throw new UserError(['lines'], `The fulfillment order has no line for ${id}.`);
  });
}

/** Returns the ID of the first fulfillment order that can be merged with others, followed by the IDs of these others. */
function mergeableIds(shop: Shop, order: Order): string[] {
  const sets = order.fulfillmentOrders.map((one) => [one, ...findMergeable(shop, order, one)]);
  return (sets.find(({ length }) => length > 1) ?? []).map(({ id }) => id);
}

/** Applies the action to all fulfillment orders that allow the action. Throws a 409 if there is no such fulfillment order. */
function actOnAll(
  store: Store,
  shop: Shop,
  order: Order,
  chosen: string | undefined,
  act: (draft: Draft) => void,
): void {
  const wanted = order.fulfillmentOrders.filter(({ id }) => (chosen ?? id) === id);
  const refusals = wanted.flatMap(({ id }) => {
    try {
      act(draftFulfillmentOrder(store, shop, id));
      return [];
    } catch (error) {
      if (error instanceof UserError) return [error];
      throw error;
    }
  });
  if (refusals.length === wanted.length) {
    throw refusals[0] ?? new UserError(null, 'The order has no such fulfillment order.');
  }
}
