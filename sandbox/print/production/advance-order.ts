import { z } from 'zod';
import { parseOrRefuse, Refusal, type RefusalDetail } from '../../refusal.ts';
import { confirmDrafts } from '../orders/confirm-drafts.ts';
import { saveOrders, type OrderChange } from '../orders/save-orders.ts';
import { createPackage, unpackOrder } from './move-order.ts';
import { stepsBetween } from './next-status.ts';
import { isUnpaid, withFinancialStatus } from '../orders/payment.ts';
import type { Order, OrderPackage, OrderRecord } from '../orders/order-record.ts';
import { findOrder, findParts, type StandIn } from '../stand-in.ts';
import { stepPackages, stepOrder } from './step-order.ts';

const packageSchema = z.strictObject({
  items: z.array(z.string()).min(1),
  trackingCode: z.string().min(1),
  trackingUrl: z.string().optional(),
  /** The incorrect tracking code that `trackingCode` replaces. The package with the incorrect code is removed. */
  replaces: z.string().optional(),
});
const advanceSchema = z.strictObject({
  to: z.string().min(1),
  packages: z.array(packageSchema).max(100).optional(),
  financialStatus: z.string().min(1).optional(),
  items: z.array(z.string()).min(1).max(1000).optional(),
  comment: z.string().nullable().default(''),
});
type Advance = z.output<typeof advanceSchema>;

const ENDS = ['failed', 'canceled'];
const PACKED = ['printed', 'shipped', 'in_transit', 'delivered'];

/**
 * Advances an order through the control endpoint and sends the events of every step on the way. Without `packages`, the order is packed
 * automatically when it ships. With an empty list, it ships without tracking. If `to` is the current status, only packages are added or the
 * financial status changes. With `items`, only these items move, and the order's status is derived from all items. Throws a `Refusal`: 409
 * for an illegal move, such as printing an order whose payment was refused.
 */
export function advanceOrder(standIn: StandIn, orderId: string, body: unknown): Order {
  const wish = parseOrRefuse(advanceSchema, body);
  const record = findOrder(standIn, null, orderId);
  requirePayment(record, wish);
  const steps = wish.items ? [] : stepsOf(record, wish);
  const packages = wish.packages && toPackages(standIn, record.order, wish.packages);
  if (record.order.orderType === 'draft') confirmDrafts(standIn, findParts(standIn, record));
  else if (wish.items) saveOrders(standIn, [moveSomeItems(standIn, record, wish.items, packages, wish)]);
  else saveOrders(standIn, [applySteps(standIn, record, steps, packages, wish)]);
  return findOrder(standIn, null, orderId).order;
}

/** Ensures that an unpaid order is not printed. Until the order is paid, it can only fail or be canceled. */
function requirePayment(record: OrderRecord, { to, financialStatus }: Advance): void {
  if (!isUnpaid(record) || financialStatus !== undefined || ENDS.includes(to)) return;
  throw new Refusal(409, 'payment_refused', `An order whose payment is refused cannot become ${to}.`);
}

function stepsOf({ order }: OrderRecord, { to, packages, financialStatus }: Advance): readonly string[] {
  const from = order.fulfillmentStatus;
  const stays = from === to && from !== 'draft' && (packages !== undefined || financialStatus !== undefined);
  const steps = stays ? [] : stepsBetween(from, to);
  if (steps === null) throw illegalMoveError(`An order that is ${from}`, to);
  if (packages && !PACKED.includes(to)) {
    throw new Refusal(409, 'illegal_move', `An order that is ${to} has no packages.`);
  }
  return steps;
}

function applySteps(
  standIn: StandIn,
  record: OrderRecord,
  steps: readonly string[],
  packages: OrderPackage[] | undefined,
  { to, comment, financialStatus, packages: wanted = [] }: Advance,
) {
  const packedAt = steps.includes('shipped') ? 'shipped' : to;
  const corrected = wanted.flatMap(({ replaces }) => replaces ?? []);
  const start = { record: unpackOrder(record, corrected), events: [] };
  const moved =
    steps.length === 0
      ? stepPackages(standIn, start, packages ?? [])
      : steps.reduce<OrderChange>(
          (last, step) =>
            stepOrder(standIn, last, { to: step, comment, packages: step === packedAt ? packages : undefined }),
          start,
        );
  return financialStatus ? { ...moved, record: withFinancialStatus(standIn, moved.record, financialStatus) } : moved;
}

/** Moves each item through its own steps, one item after another. The packages are added with the first item that ships. */
function moveSomeItems(
  standIn: StandIn,
  record: OrderRecord,
  items: readonly string[],
  packages: OrderPackage[] | undefined,
  wish: Advance,
): OrderChange {
  if (record.order.orderType === 'draft') throw illegalMoveError('A draft', wish.to);
  const moves = items.map((itemReferenceId) => {
    const item = record.order.items.find((one) => one.itemReferenceId === itemReferenceId);
    if (!item) throw new Refusal(400, 'invalid_request', `items: the order has no item ${itemReferenceId}.`);
    return { itemReferenceId, steps: stepsOfItem(item.fulfillmentStatus, wish.to) };
  });
  const most = Math.max(...moves.map(({ steps }) => steps.length));
  let change: OrderChange = { record, events: [] };
  for (let step = -most; step < 0; step += 1) {
    const stepping = moves.filter(({ steps }) => steps.at(step) !== undefined && steps.length >= -step);
    for (const to of new Set(stepping.map(({ steps }) => steps.at(step) ?? wish.to))) {
      const among = stepping.filter(({ steps }) => steps.at(step) === to).map((move) => move.itemReferenceId);
      change = stepOrder(standIn, change, { to, comment: wish.comment, items: among, packages: packagesFor(to) });
    }
  }
  return wish.financialStatus
    ? { ...change, record: withFinancialStatus(standIn, change.record, wish.financialStatus) }
    : change;

  function packagesFor(to: string): OrderPackage[] | undefined {
    return packages && (to === 'shipped' || to === wish.to) ? packages.splice(0) : undefined;
  }
}

function stepsOfItem(from: string, to: string): readonly string[] {
  const steps = stepsBetween(from, to);
  if (steps === null) throw illegalMoveError(`An item that is ${from}`, to);
  return steps;
}

function illegalMoveError(what: string, to: string): Refusal {
  return new Refusal(409, 'illegal_move', `${what} cannot become ${to}.`);
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
    return createPackage(itemIds, trackingCode, standIn.ids, trackingUrl);
  });
  const [first] = details;
  if (first) throw new Refusal(400, 'invalid_request', `${first.reference}: ${first.message}`, details);
  return packages;
}
