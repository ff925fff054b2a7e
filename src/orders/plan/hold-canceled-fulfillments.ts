import { In, IsNull, Not } from 'typeorm';
import { Holds } from '../../database/entities/orders.ts';
import { Fulfillments, Packages, type Fulfillment } from '../../database/entities/packages.ts';
import type { PrintOrder, PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { openHoldWithEntry } from '../record/hold-print-order.ts';
import { countUnfulfilledUnits, type CountedPrint } from './decide/count-to-print.ts';
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
  const shopifyFulfillmentId = In(reading.fulfillments.map(({ id }) => id));
  const written = await manager.findBy(Fulfillments, { ...of, state: 'done', shopifyFulfillmentId });
  const isDead = (row: Fulfillment): boolean => dead.some(({ id }) => id === row.shopifyFulfillmentId);
  const [made, live] = [written.filter(isDead), written.filter((row) => !isDead(row))];
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
    const isHeld =
      plan.reason !== 'canceled' && isInEffect(printOrder) && gone.some((one) => isAnyLeft(scope, one, live));
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

/** Returns whether units of a canceled fulfillment are still left to fulfill. `live`: Platen's fulfillments that were not canceled. */
function isAnyLeft(
  { reading, rows }: PlanScope,
  { lines, printOrderId }: CanceledFulfillment,
  live: readonly CanceledFulfillment[],
): boolean {
  const underWay = rows.prints.filter(({ printOrder }) => isInEffect(printOrder)).flatMap((print) => print.lines);
  return lines.some(({ shopifyLineItemId: id }) => {
    const all = underWay.filter((line) => line.shopifyLineItemId === id);
    const { fulfilled, prints } = withoutFulfilled(countFulfilled(reading, id), all, live);
    const left = countUnfulfilledUnits(fulfilled, prints);
    const isOwnLeft = prints.some((line, index) => line.printOrderId === printOrderId && (left[index] ?? 0) > 0);
    return isOwnLeft && countLeftToFulfill(reading, id) > 0;
  });
}

/** Takes the units of live fulfillments out of their own print orders, so that only units fulfilled by hand are attributed by age. */
function withoutFulfilled(
  fulfilled: number,
  all: readonly PrintOrderLine[],
  live: readonly CanceledFulfillment[],
): { fulfilled: number; prints: (CountedPrint & { printOrderId: string })[] } {
  const own = all.map(({ shopifyLineItemId, printOrderId, fulfilledBefore, quantity }) => {
    const lines = live.filter((one) => one.printOrderId === printOrderId).flatMap((one) => one.lines);
    const units = lines.filter((line) => line.shopifyLineItemId === shopifyLineItemId);
    return { printOrderId, fulfilledBefore, quantity, done: Math.min(quantity, sum(units)) };
  });
  return {
    fulfilled: fulfilled - own.reduce((total, { done }) => total + done, 0),
    prints: own.map(({ printOrderId, fulfilledBefore, quantity, done }) => {
      const earlier = own.filter((one) => one.fulfilledBefore < fulfilledBefore);
      const taken = earlier.reduce((total, one) => total + one.done, 0);
      return { printOrderId, quantity: quantity - done, fulfilledBefore: Math.max(0, fulfilledBefore - taken) };
    }),
  };
}

const sum = (lines: Fulfillment['lines']): number => lines.reduce((total, { quantity }) => total + quantity, 0);

async function openCanceledHold({ manager }: PlanScope, printOrder: PrintOrder): Promise<void> {
  const message = `The fulfillment of ${printOrder.reference} was canceled in the store.`;
  await openHoldWithEntry(manager, printOrder, { code: FULFILLMENT_CANCELED, message });
}
