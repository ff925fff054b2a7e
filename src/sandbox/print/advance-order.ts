import { z } from 'zod';
import { parseOrRefuse, Refusal, type RefusalDetail } from '../refusal.ts';
import { confirmDrafts } from './confirm-drafts.ts';
import { keepOrders, type OrderChange } from './keep-orders.ts';
import { makePackage } from './move-order.ts';
import { stepsBetween } from './next-status.ts';
import type { Order, OrderPackage, OrderRecord } from './order-record.ts';
import { findOrder, findParts, type StandIn } from './stand-in.ts';
import { packStep, takeStep } from './step-order.ts';

const packageSchema = z.strictObject({
  items: z.array(z.string()).min(1),
  trackingCode: z.string().min(1),
  trackingUrl: z.string().optional(),
});
const advanceSchema = z.strictObject({
  to: z.string().min(1),
  packages: z.array(packageSchema).max(100).optional(),
  financialStatus: z.string().min(1).optional(),
  comment: z.string().nullable().default(''),
});
type Advance = z.output<typeof advanceSchema>;

const PACKED = ['printed', 'shipped', 'in_transit', 'delivered'];

/**
 * Moves an order by control, with the events that follow; on its way along the chain it takes every step between. Without `packages`
 * it is packed by itself when it ships; with an empty list it ships without tracking. At the status it has it takes further packages,
 * or another financial status. Throws a `Refusal`: 409 for an illegal move.
 */
export function advanceOrder(standIn: StandIn, orderId: string, body: unknown): Order {
  const wish = parseOrRefuse(advanceSchema, body);
  const record = findOrder(standIn, null, orderId);
  const steps = stepsOf(record, wish);
  const packages = wish.packages && toPackages(standIn, record.order, wish.packages);
  if (record.order.orderType === 'draft') confirmDrafts(standIn, findParts(standIn, record));
  else keepOrders(standIn, [takeSteps(standIn, record, steps, packages, wish)]);
  return findOrder(standIn, null, orderId).order;
}

function stepsOf({ order }: OrderRecord, { to, packages, financialStatus }: Advance): readonly string[] {
  const from = order.fulfillmentStatus;
  const stays = from === to && from !== 'draft' && (packages !== undefined || financialStatus !== undefined);
  const steps = stays ? [] : stepsBetween(from, to);
  if (steps === null) throw new Refusal(409, 'illegal_move', `An order that is ${from} cannot become ${to}.`);
  if (packages && !PACKED.includes(to)) {
    throw new Refusal(409, 'illegal_move', `An order that is ${to} has no packages.`);
  }
  return steps;
}

function takeSteps(
  standIn: StandIn,
  record: OrderRecord,
  steps: readonly string[],
  packages: OrderPackage[] | undefined,
  { to, comment, financialStatus }: Advance,
) {
  const packedAt = steps.includes('shipped') ? 'shipped' : to;
  const start = { record, events: [] };
  const moved =
    steps.length === 0
      ? packStep(standIn, start, packages ?? [])
      : steps.reduce<OrderChange>(
          (last, step) =>
            takeStep(standIn, last, { to: step, comment, packages: step === packedAt ? packages : undefined }),
          start,
        );
  if (!financialStatus) return moved;
  return { ...moved, record: { ...moved.record, order: { ...moved.record.order, financialStatus } } };
}

function toPackages(standIn: StandIn, order: Order, wanted: NonNullable<Advance['packages']>): OrderPackage[] {
  const details: RefusalDetail[] = [];
  const packages = wanted.map(({ items, trackingCode, trackingUrl }, index) => {
    const itemIds = items.flatMap((itemReferenceId, position) => {
      const item = order.items.find((one) => one.itemReferenceId === itemReferenceId);
      if (item) return [item.id];
      const reference = `packages[${index}].items[${position}]`;
      details.push({ message: `The order has no item ${itemReferenceId}.`, reference, code: 'unknown_item' });
      return [];
    });
    return makePackage(itemIds, trackingCode, standIn.ids, trackingUrl);
  });
  const [first] = details;
  if (first) throw new Refusal(400, 'invalid_request', `${first.reference}: ${first.message}`, details);
  return packages;
}
