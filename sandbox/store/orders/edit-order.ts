import { z } from 'zod';
import { removeUnits } from './change-order.ts';
import { priceSchema, toLineItem } from './create-order.ts';
import { toNumericId } from '../graphql/gid.ts';
import { UserError } from '../graphql/run-mutation.ts';
import { withFulfillmentOrders } from '../fulfillment/route-order.ts';
import { saveOrder } from './save-order.ts';
import type { Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';

const unitsSchema = z.strictObject({ id: z.string(), quantity: z.int().min(1) });

export const editSchema = z.strictObject({
  /** Units to remove from line items. */
  remove: z.array(unitsSchema).default([]),
  /** Units of variants to add as new line items. */
  add: z.array(z.strictObject({ variantId: z.string(), quantity: z.int().min(1) })).default([]),
  /** Replaces the shipping lines. */
  shippingLine: z.strictObject({ title: z.string(), code: z.string().nullable(), price: priceSchema }).optional(),
});

/**
 * Edits an order in the same way as a merchant. Added lines get new fulfillment orders. Throws a user error if the order is canceled, or if
 * the edit removes more units than are unfulfilled.
 */
export function editOrder(store: Store, shop: Shop, order: Order, input: z.output<typeof editSchema>): Order {
  if (order.cancelledAt !== null) throw new UserError(['id'], 'The order is canceled and cannot be edited.');
  const draft = structuredClone(order);
  for (const { id, quantity } of input.remove) removeUnits(draft, id, quantity);
  const added = input.add.map((line, index) => toLineItem(store, shop, line, index));
  const { fulfillmentOrders } = withFulfillmentOrders(store, shop, { ...draft, lineItems: added });
  const toDeltas = (lines: readonly { id: string; quantity: number }[]) =>
    lines.map(({ id, quantity }) => ({ id: BigInt(toNumericId(id)), delta: quantity }));
  const now = store.clock.now().toISOString();
  const edit = {
    order_edit: {
      id: BigInt(toNumericId(store.newGid('OrderEdit'))),
      app_id: null,
      created_at: now,
      committed_at: now,
      notify_customer: false,
      order_id: BigInt(toNumericId(order.id)),
      staff_note: '',
      user_id: null,
      line_items: { additions: toDeltas(added), removals: toDeltas(input.remove) },
      discounts: { line_item: { additions: [], removals: [] } },
      shipping_lines: { additions: [], removals: [] },
    },
  };
  const edited: Order = {
    ...draft,
    edited: true,
    lineItems: [...draft.lineItems, ...added],
    shippingLines: input.shippingLine
      ? [{ id: store.newGid('ShippingLine'), source: 'shopify', ...input.shippingLine }]
      : draft.shippingLines,
    fulfillmentOrders: draft.routed ? [...draft.fulfillmentOrders, ...fulfillmentOrders] : [],
  };
  return saveOrder(store, edited, [['orders/edited', edit]]);
}
