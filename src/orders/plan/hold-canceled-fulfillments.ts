import { In, IsNull, Not } from 'typeorm';
import { Holds } from '../../database/entities/orders.ts';
import { Fulfillments, Packages, type Fulfillment } from '../../database/entities/packages.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { openHoldWithEntry } from '../record/hold-print-order.ts';
import { countUnfulfilledUnits } from './decide/count-to-print.ts';
import { countFulfilled, isLiveFulfillment, countLeftToFulfill } from '../facts/store-quantities.ts';
import type { PlanScope } from './plan-scope.ts';
import { isInEffect } from '../facts/print-order-predicates.ts';

export const FULFILLMENT_CANCELED: HoldCode = 'fulfillment_canceled';

/**
 * Holds a print order whose fulfillment was canceled in the store while its units are left to fulfill, so that someone decides what happens
 * to those units. The hold is resolved when no units are left to fulfill, or when someone pushes the units to the store again.
 */
export async function holdCanceledFulfillments(scope: PlanScope): Promise<void> {
  const { app, manager, plan, reading, rows, storefrontOrder } = scope;
  const of = { storefrontOrderId: storefrontOrder.id };
  const dead = reading.fulfillments.filter((one) => !isLiveFulfillment(one));
  const open = await manager.findBy(Holds, { ...of, code: FULFILLMENT_CANCELED, resolvedAt: IsNull() });
  if (dead.length === 0 && open.length === 0) return;
  const shopifyFulfillmentId = In(dead.map(({ id }) => id));
  const made = await manager.findBy(Fulfillments, { ...of, state: 'done', shopifyFulfillmentId });
  const byHand = dead.filter(({ id }) => !made.some((row) => row.shopifyFulfillmentId === id));
  const printOrderId = In(rows.prints.map(({ printOrder }) => printOrder.id));
  const packages = await manager.findBy(Packages, { printOrderId, confirmedAt: Not(IsNull()) });
  const pushed = packages.filter(({ pushedAt }) => pushedAt !== null);
  for (const { printOrder } of rows.prints) {
    const canceled = made.filter((row) => row.printOrderId === printOrder.id && isPushed(row, pushed));
    const own = packages.filter((one) => one.printOrderId === printOrder.id && one.replacedAt === null);
    // Someone fulfilled the shipped units by hand, so Platen pushed nothing. That fulfillment was canceled later.
    const isFinished = printOrder.state === 'fulfilled' && own.every(({ pushedAt }) => pushedAt !== null);
    const gone = [...canceled, ...(isFinished ? byHand.map((one) => toCanceledFulfillment(one, printOrder)) : [])];
    const isHeld = plan.reason !== 'canceled' && isInEffect(printOrder) && gone.some((one) => isAnyLeft(scope, one));
    const hold = open.find((one) => one.printOrderId === printOrder.id);
    if (isHeld && !hold) await openCanceledHold(scope, printOrder);
    if (!isHeld && hold) await manager.update(Holds, { id: hold.id }, { resolvedAt: app.clock.now() });
  }
}

/** A canceled fulfillment and the print order whose units the fulfillment contained. */
type CanceledFulfillment = Pick<Fulfillment, 'lines' | 'printOrderId'>;

function toCanceledFulfillment(
  { lines }: PlanScope['reading']['fulfillments'][number],
  { id: printOrderId }: PrintOrder,
): CanceledFulfillment {
  return {
    printOrderId,
    lines: lines.map(({ lineItem, quantity }) => ({ shopifyLineItemId: lineItem.id, quantity })),
  };
}

/** Returns whether all of a fulfillment's packages are pushed. False if someone chose to push one of them again. */
function isPushed(row: Fulfillment, pushed: readonly { printOrderId: string; trackingCode: string }[]): boolean {
  return row.trackingCodes.every((code) =>
    pushed.some(({ printOrderId, trackingCode }) => printOrderId === row.printOrderId && trackingCode === code),
  );
}

/** Returns whether units of a canceled fulfillment are still left to fulfill. */
function isAnyLeft({ reading, rows }: PlanScope, { lines, printOrderId }: CanceledFulfillment): boolean {
  const underWay = rows.prints.filter(({ printOrder }) => isInEffect(printOrder)).flatMap((print) => print.lines);
  return lines.some(({ shopifyLineItemId: id }) => {
    const same = underWay.filter((line) => line.shopifyLineItemId === id);
    const onTheWay = countUnfulfilledUnits(countFulfilled(reading, id), same);
    const isOwnLeft = same.some((line, index) => line.printOrderId === printOrderId && (onTheWay[index] ?? 0) > 0);
    return isOwnLeft && countLeftToFulfill(reading, id) > 0;
  });
}

async function openCanceledHold({ manager }: PlanScope, printOrder: PrintOrder): Promise<void> {
  const message = `The fulfillment of ${printOrder.reference} was canceled in the store.`;
  await openHoldWithEntry(manager, printOrder, { code: FULFILLMENT_CANCELED, message });
}
