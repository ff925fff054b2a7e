import type { App } from '../../../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../../database/entities/orders.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import { InvalidInputError } from '../../../errors.ts';
import { enqueuePlan } from '../../enqueue/enqueue-plan.ts';
import { isReplaceable } from '../../facts/print-order-predicates.ts';
import { closePrintOrder } from '../../plan/reconcile-print-orders.ts';
import { nameOf, describeMethod } from '../../quote/list-method.ts';
import { writeTimeline } from '../../record/write-timeline.ts';
import { lockOrders } from '../../rows/lock-orders.ts';
import { withName } from '../find-order.ts';
import type { Actor } from '../manual-action-scope.ts';
import { quoteUnsent } from './offer-shipping.ts';
import { readChangeable } from './read-changeable.ts';
import { findShippingLockReason } from './changeable-order.ts';

/**
 * Chooses the shipping method for all parts of an order that are not sent to print yet: one method for all parts, or one for each part. If
 * `methods` is null, the shop's rules choose again. Closes print orders that are not sent yet, because a reference identifies exactly one
 * request body. The plan then replaces them under new references. Returns sentences that describe what was done. Throws InvalidInputError
 * for a method that is not possible now, and the errors of `quoteUnsent`.
 */
export async function chooseMethod(
  app: App,
  shop: Shop,
  found: StorefrontOrder,
  { methods, by }: { methods: readonly string[] | null; by: Actor },
): Promise<{ done: string[] }> {
  const order = withName(found);
  const chosen = methods && (await findMethods(app, shop, order, methods));
  const costs = chosen?.map(describeMethod).join(' and ');
  const message =
    costs === undefined
      ? `The shop's rules choose the shipping method of ${order.name} again.`
      : `The shipping method of ${order.name} is ${costs}, chosen by the merchant.`;
  await app.db.transaction(async (manager) => {
    // The lock waits for a job that is about to send a print order. A job that read the order earlier then finds it changed.
    await lockOrders(manager, [order.id]);
    const { rows, ...changeable } = await readChangeable(manager, order.id);
    const fixed = findShippingLockReason(changeable);
    if (fixed) throw fixed;
    const shippingChoice = chosen && {
      methodUids: [...new Set(chosen.map(({ shipmentMethodUid }) => shipmentMethodUid))],
      name: [...new Set(chosen.map(nameOf))].join(' and '),
    };
    const before = changeable.order.shippingChoice;
    if (JSON.stringify(before?.methodUids) === JSON.stringify(shippingChoice?.methodUids)) return;
    await manager.update(StorefrontOrders, { id: order.id }, { shippingChoice });
    const about = { shopId: shop.id, storefrontOrderId: order.id, by };
    await writeTimeline(manager, { ...about, kind: 'shipping_chosen', message, data: { methods } });
    for (const { printOrder } of rows.prints.filter(isReplaceable))
      await closePrintOrder({ app, manager, storefrontOrder: changeable.order }, printOrder, 'other_shipping');
    await enqueuePlan(manager, order.id);
  });
  return { done: [message] };
}

/** Finds the method of each part. One method may serve all parts. */
async function findMethods(app: App, shop: Shop, order: StorefrontOrder, uids: readonly string[]) {
  const { parts } = await quoteUnsent(app, shop, order);
  return parts.map((part, index) => {
    const wanted = uids.length === 1 ? uids[0] : uids[index];
    const method = part.pick([...uids]);
    if (method?.shipmentMethodUid === wanted && method) return method;
    const offered = part.methods.map(({ shipmentMethodUid }) => shipmentMethodUid).join(', ') || 'none';
    const of = parts.length > 1 ? `part ${index + 1} of this order` : 'this order';
    throw new InvalidInputError(
      'method',
      `method: the print service does not offer ${wanted ?? uids.join(', ')} for ${of} now. It offers: ${offered}.`,
    );
  });
}
