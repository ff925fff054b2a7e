import { IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, type Hold } from '../../database/entities/orders.ts';
import { PrintOrders, type PrintOrder, type PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { PlanScope } from './plan-scope.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import { findChange, type Change } from './decide/find-change.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { openHold } from '../record/hold-print-order.ts';
import { readDeviation, writeDeviation } from '../rows/deviations.ts';
import type { KnownPrint } from '../rows/own-rows.ts';
import { decryptRecipient } from '../facts/recipient-column.ts';
import { countUnitsInEffect, willNeverShip } from '../facts/service-trouble.ts';
import { toRecipient } from './decide/to-recipient.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { countsAsPrinted, isSent } from '../facts/print-order-predicates.ts';

const CODE: HoldCode = 'changed_after_submit';

/**
 * Compares sent print orders with the current order. A difference opens one hold for the print order. The hold is updated when the
 * difference changes, and resolved when the difference is gone or the print order has ended. A difference that someone has accepted opens
 * no hold, unless the difference changes again.
 */
export async function writeChanges(scope: PlanScope): Promise<void> {
  const { app, manager, plan, rows, storefrontOrder } = scope;
  const open = await manager.findBy(Holds, { storefrontOrderId: storefrontOrder.id, code: CODE, resolvedAt: IsNull() });
  // After a cancellation, Platen cancels the print orders instead of holding them.
  const isCanceled = plan.reason === 'canceled' || plan.reason === 'canceled_by_hand';
  for (const print of rows.prints) {
    const { printOrder, deviation } = print;
    const change = !isCanceled && isSent(printOrder) ? findChangeOf(scope, print) : null;
    const hold = open.find(({ printOrderId }) => printOrderId === printOrder.id) ?? null;
    const sha256 = change?.sha256 ?? null;
    if (sha256 !== deviation.presentChange)
      await writeDeviation(manager, printOrder.id, { presentChange: sha256 }, app.clock.now());
    const isAccepted = sha256 !== null && sha256 === deviation.acceptedChange;
    if (change && !isAccepted) await keepHoldOpen(scope, printOrder, change, hold);
    else if (hold) await resolveChangeHold(scope, printOrder, hold, isAccepted);
  }
}

function findChangeOf(
  { app, shop, settings, reading, rows }: PlanScope,
  { printOrder, lines }: KnownPrint,
): Change | null {
  const counted = rows.prints.filter((one) => countsAsPrinted(one.printOrder));
  const { printInterface, recipientEncrypted } = printOrder;
  const { locationId, formerLocationIds } = shop;
  const { printsAtMerchantLocations } = settings;
  const isHidden = reading.protectedFieldsMissing.length > 0;
  // Each interface has different address limits.
  const fitted = isHidden ? null : toRecipient(reading, shop, { ...settings, printInterface });
  const address = fitted?.ok ? fitted.address : null;
  const unfit = isHidden ? null : fitted === null ? 'shippingAddress' : fitted.ok ? null : fitted.hold.field;
  const sent = recipientEncrypted === null ? null : decryptRecipient(app, printOrder).address;
  return findChange(
    { order: reading, address, unfit, locationId, formerLocationIds, printsAtMerchantLocations },
    { id: printOrder.id, lines: withoutFailedUnits(lines), address: sent },
    counted.map((one) => ({ id: one.printOrder.id, lines: withoutFailedUnits(one.lines), address: null })),
  );
}

/** Leaves out failed units, because the service no longer prints them under this print order. */
function withoutFailedUnits(lines: readonly PrintOrderLine[]): PrintOrderLine[] {
  return lines
    .filter(({ printAgainAt, serviceStatus }) => printAgainAt === null && !willNeverShip(serviceStatus))
    .map((line) => ({ ...line, quantity: countUnitsInEffect(line) }));
}

async function keepHoldOpen(
  { manager }: PlanScope,
  printOrder: PrintOrder,
  { message, lines, moved, fields }: Change,
  hold: Hold | null,
): Promise<void> {
  if (hold?.message === message) return;
  if (hold) {
    await manager.update(Holds, { id: hold.id }, { message });
    await enqueueStoreUpdate(manager, hold.storefrontOrderId);
  } else await openHold(manager, printOrder, { code: CODE, field: null, message });
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  await writeTimeline(manager, {
    shopId,
    storefrontOrderId,
    printOrderId,
    kind: CODE,
    message: `${reference} no longer matches the order: ${message}`,
    data: { code: CODE, lines, moved, fields },
  });
}

async function resolveChangeHold(
  { app, manager }: PlanScope,
  printOrder: PrintOrder,
  hold: Hold,
  isAccepted: boolean,
): Promise<void> {
  await manager.update(Holds, { id: hold.id }, { resolvedAt: app.clock.now() });
  await enqueueStoreUpdate(manager, hold.storefrontOrderId);
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  const message = isAccepted
    ? `${reference} continues as it was sent: someone accepted the change to the order.`
    : `${reference} is no longer held because of a change to the order.`;
  const data = { code: CODE };
  await writeTimeline(manager, { shopId, storefrontOrderId, printOrderId, kind: 'hold_resolved', message, data });
}

/** Records that a print order continues as sent, and resolves its hold for the current difference. Returns whether the hold was open. */
export async function acceptChange(app: App, manager: EntityManager, printOrderId: string): Promise<boolean> {
  const { storefrontOrderId } = await manager.findOneByOrFail(PrintOrders, { id: printOrderId });
  const { presentChange } = await readDeviation(manager, printOrderId);
  if (presentChange === null) return false;
  await writeDeviation(manager, printOrderId, { acceptedChange: presentChange }, app.clock.now());
  const open = { printOrderId, code: CODE, resolvedAt: IsNull() };
  const { affected } = await manager.update(Holds, open, { resolvedAt: app.clock.now() });
  await enqueueStoreUpdate(manager, storefrontOrderId);
  return (affected ?? 0) > 0;
}
