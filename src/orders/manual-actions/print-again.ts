import { In, IsNull } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { StorefrontOrders, type Hold } from '../../database/entities/orders.ts';
import {
  PrintOrderLines,
  PrintOrders,
  type PrintOrder,
  type PrintOrderLine,
} from '../../database/entities/print-orders.ts';
import { NotPossibleError } from '../../errors.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { changeState } from '../record/change-state.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { limitSentences } from '../facts/limit-sentences.ts';
import { hasNothingToFulfill } from '../facts/outcome-reasons.ts';
import { FULFILLMENT_CANCELED } from '../plan/hold-canceled-fulfillments.ts';
import { countUndeliverableUnits, willNeverShip } from '../facts/service-trouble.ts';
import {
  lockPrintOrders,
  writeActionToTimeline,
  readOpenHolds,
  refuseIfOrderIsOver,
  refuseWhileOrderUnknown,
  resolveHoldsManually,
  type ManualAction,
  type ManualActionScope,
} from './manual-action-scope.ts';
import { isStateIn } from '../facts/order-state.ts';
import { isSuperseded } from '../facts/print-order-predicates.ts';

/** Holds of print orders that are not in production. Printing again closes the reference and deletes any remaining draft. */
const NOT_PRODUCED = new Set(['draft_gone', 'draft_edited', 'confirm_refused', 'outcome_unknown', 'order_missing']);
const ONLY_REPORTED_BY_EVENT =
  "was reported as failed only by an event, so it may still be printed. Check the print service's dashboard, then choose this print order by its reference.";

/** How a print order is printed again, or why that is not possible. */
type ReprintMode = 'close' | 'second_copy' | 'other_account' | 'lines' | 'not_there' | { not: string };

/**
 * Prints a print order's units again. The reference is closed permanently once a search shows that the service has nothing live under it.
 * Shipped or returned units are known to exist, so they are printed a second time. The plan then creates a print order with a new
 * reference for the units that the store still needs.
 */
export const printAgain: ManualAction = async (scope) => {
  const { app, storefrontOrder } = scope;
  // In any state, the merchant may have to confirm that the order was never created, so that a pending cancellation can end.
  const isCanceling = scope.printOrders.some(({ cancelRequestedAt }) => cancelRequestedAt !== null);
  if (!hasNothingToFulfill(storefrontOrder.outcomeReason) && !isCanceling) refuseIfOrderIsOver(storefrontOrder);
  return app.db.transaction(async (manager) => {
    await refuseWhileOrderUnknown(scope, manager);
    const holds = await readOpenHolds(scope, manager);
    const locked = await lockPrintOrders(scope, manager);
    const lines = await manager.findBy(PrintOrderLines, { printOrderId: In(locked.map(({ id }) => id)) });
    const ways = locked.map((printOrder) => {
      const own = holds.filter(({ printOrderId }) => printOrderId === printOrder.id);
      const ofPrintOrder = lines.filter(({ printOrderId }) => printOrderId === printOrder.id);
      return { printOrder, own, lines: ofPrintOrder, way: findReprintMode(scope, printOrder, own, ofPrintOrder) };
    });
    const possible = ways.filter(({ way }) => typeof way === 'string');
    const isCancelReversed = storefrontOrder.cancelAskedAt !== null && !scope.isOneNamed;
    if (possible.length === 0 && !isCancelReversed) {
      const whys = ways.map(
        ({ printOrder, way }) => `${printOrder.reference} ${typeof way === 'string' ? '' : way.not}`,
      );
      const why = whys.length > 0 ? limitSentences(whys).join(' ') : 'This order has no print orders.';
      throw new NotPossibleError('nothing_to_print_again', `Nothing can be printed again. ${why}`);
    }
    await manager.update(
      StorefrontOrders,
      { id: storefrontOrder.id },
      { cancelAskedAt: null, cancelAskedBy: null, askAgainAt: app.clock.now() },
    );
    const said = isCancelReversed
      ? [`${storefrontOrder.name} is no longer canceled: Platen prints the units that the store still needs.`]
      : [];
    if (isCancelReversed) await writeActionToTimeline(scope, manager, { kind: 'print_again', message: said.join(' ') });
    for (const one of possible) said.push(await reprintPrintOrder(scope, manager, one));
    await enqueuePlan(manager, storefrontOrder.id);
    return said;
  });
};

/** Decides how a print order with these open holds is printed again, or why that is not possible. Pure. */
export function findReprintMode(
  { shop, isOneNamed: isNamed }: Pick<ManualActionScope, 'shop' | 'isOneNamed'>,
  printOrder: PrintOrder,
  holds: readonly Hold[],
  lines: readonly PrintOrderLine[],
): ReprintMode {
  const codes = new Set(holds.map(({ code }) => code));
  const { state, confirmedAt } = printOrder;
  if (isSuperseded(printOrder)) return { not: 'is already closed, and its items can already be printed again.' };
  if (printOrder.closedAt !== null) return { not: 'is already being closed.' };
  if (printOrder.cancelRequestedAt !== null && codes.has('outcome_unknown')) return 'not_there';
  if (printOrder.cancelRequestedAt !== null)
    return { not: 'is being canceled. Wait until the cancellation has ended.' };
  if (codes.has('print_account_changed'))
    return isNamed
      ? 'other_account'
      : {
          not: 'belongs to another print account. Cancel it in that account, then choose this print order by its reference.',
        };
  if (state === 'canceled' || state === 'failed') return 'close';
  // A draft in the print account that the shop used before is deleted in that account and created again in the current account.
  if (codes.has('left_as_draft') && confirmedAt === null && printOrder.printAccountId !== shop.printAccountId)
    return 'close';
  if ([...codes].some((code) => NOT_PRODUCED.has(code)) && (confirmedAt === null || codes.has('order_missing')))
    return 'close';
  if (codes.has('service_returned') || codes.has(FULFILLMENT_CANCELED)) return 'second_copy';
  if (lines.some((line) => countUndeliverableUnits(line) > 0)) {
    // Events are not signed, so an event alone proves nothing. If a reference is given, someone has checked the dashboard.
    const isShown = printOrder.printInterface !== 'current' || readSettings(shop).extendedCalls;
    return isShown || isNamed ? 'lines' : { not: ONLY_REPORTED_BY_EVENT };
  }
  // A repeated request for the items that will not arrive must not print the other items a second time.
  if (lines.some(({ printAgainAt, unitsAgain }) => printAgainAt !== null || unitsAgain > 0))
    return { not: 'has items that will not arrive, and they are already being printed again.' };
  if (isNamed && isStateIn(state, 'left')) return 'second_copy';
  if (isStateIn(state, 'left'))
    return { not: 'has shipped. To print it a second time, choose this print order by its reference.' };
  return { not: 'may still be printed. Cancel it first.' };
}

interface ToPrint {
  printOrder: PrintOrder;
  own: Hold[];
  lines: PrintOrderLine[];
  way: ReprintMode;
}

async function reprintPrintOrder(
  scope: ManualActionScope,
  manager: EntityManager,
  { printOrder, own, lines, way }: ToPrint,
): Promise<string> {
  const { app } = scope;
  const { id, reference } = printOrder;
  const now = app.clock.now();
  const recordReprint = async (message: string): Promise<string> => {
    await writeActionToTimeline(scope, manager, {
      kind: 'print_again',
      printOrderId: id,
      message,
      data: { reference },
    });
    return message;
  };
  if (way === 'close') {
    await manager.update(PrintOrders, { id, closedAt: IsNull() }, { closedAt: now, closedReason: 'print_again' });
    await enqueueSubmit(manager, printOrder);
    return recordReprint(
      `${reference} is printed again under a new reference once the print service shows no live order for it.`,
    );
  }
  if (way === 'other_account') {
    // Platen cannot search the other account, so it relies on the merchant. If that account's key is entered again, unsent parts are closed
    // first.
    const end = printOrder.confirmedAt === null ? { closedAt: now, closedReason: 'print_again' } : {};
    await manager.update(PrintOrders, { id }, { printAgainAt: now, ...end });
    await resolveHoldsManually(scope, manager, own);
    return recordReprint(
      `${reference} is printed again through the current print account. Make sure that you have canceled it in the other account.`,
    );
  }
  if (way === 'not_there') {
    await manager.update(PrintOrders, { id }, { printAgainAt: now });
    await enqueueSubmit(manager, printOrder);
    return recordReprint(
      `You confirmed that ${reference} was never created. Its cancellation ends once a search at the print service finds nothing.`,
    );
  }
  if (way === 'lines') {
    const over = lines.filter((line) => countUndeliverableUnits(line) > 0);
    for (const line of over) {
      const set = willNeverShip(line.serviceStatus) ? { printAgainAt: now } : { unitsAgain: line.unitsOver };
      await manager.update(PrintOrderLines, { id: line.id }, set);
    }
    await resolveHoldsManually(
      scope,
      manager,
      own.filter(({ code }) => code === 'service_failed' || code === 'service_canceled'),
    );
    const names = over
      .map((line) => `${countUndeliverableUnits(line)} of ${line.sku ?? 'a line without a SKU'}`)
      .join(', ');
    return recordReprint(`The items of ${reference} that will not arrive are printed again: ${names}.`);
  }
  await resolveHoldsManually(scope, manager, own);
  const message = `${reference} was already produced. The units that the store still needs are printed a second time. If the store has a fulfillment for ${reference}, cancel it.`;
  const set = { printAgainAt: now };
  if (printOrder.state !== 'held') {
    await manager.update(PrintOrders, { id }, set);
    return recordReprint(message);
  }
  await changeState(manager, printOrder, {
    to: 'shipped',
    kind: 'print_again',
    message,
    data: { reference },
    by: scope.by,
    set,
  });
  return message;
}
