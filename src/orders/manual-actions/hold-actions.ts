import type { Hold } from '../../database/entities/orders.ts';
import type { PrintOrder, PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { unitsToClose } from '../follow/close-in-store.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { findReprintMode } from './print-again.ts';

/** Manual actions: `platen orders ACTION` and `POST /api/orders/:id/ACTION`. */
export const actions = ['approve', 'hold', 'retry', 'cancel', 'print-again', 'continue', 'close'] as const;
export type Action = (typeof actions)[number];

/**
 * The actions that resolve each hold. Holds with other codes offer `retry` and `cancel`. Before the retry, someone must fix the cause in
 * the settings, the store or the service.
 */
const ACTIONS: Partial<Record<HoldCode, readonly Action[]>> = {
  needs_approval: ['approve', 'cancel'],
  high_risk: ['approve', 'cancel'],
  held_by_hand: ['approve', 'cancel'],
  left_as_draft: ['approve', 'cancel'],
  print_account_changed: ['retry', 'print-again', 'cancel'],
  draft_edited: ['continue', 'print-again', 'cancel'],
  draft_gone: ['print-again', 'cancel'],
  confirm_refused: ['continue', 'print-again', 'cancel'],
  outcome_unknown: ['print-again', 'retry', 'cancel'],
  order_missing: ['print-again', 'retry'],
  unknown_print_order: ['continue', 'cancel'],
  several_orders: ['continue'],
  items_differ: ['continue', 'cancel'],
  changed_after_submit: ['continue', 'cancel', 'print-again'],
  cannot_cancel: ['continue'],
  service_failed: ['print-again', 'close'],
  service_canceled: ['print-again', 'close'],
  service_returned: ['close', 'print-again'],
  fulfillment_refused: ['retry'],
  fulfillment_canceled: ['retry', 'print-again', 'close'],
  no_tracking: ['continue', 'retry'],
  payment_refused: ['retry', 'print-again', 'close', 'cancel'],
};

/** Returns the actions that can resolve a hold with this code. */
export function listActionsFor(code: string): readonly Action[] {
  return ACTIONS[code as HoldCode] ?? ['retry', 'cancel'];
}

/** The current state of the order or print order that a hold concerns. */
interface HoldContext {
  shop: Shop;
  /** All open holds of the order. */
  holds: readonly Hold[];
  /** Null if the hold concerns the order itself. */
  printOrder: PrintOrder | null;
  /** The print order's lines. */
  lines: readonly PrintOrderLine[];
}

/** Returns the actions for a hold that Platen would accept now. Pure. */
export function findOfferedActions({ code }: Hold, { shop, holds, printOrder, lines }: HoldContext): readonly Action[] {
  const own = holds.filter(({ printOrderId }) => printOrderId === printOrder?.id);
  const has = (open: readonly Hold[], ...codes: HoldCode[]): boolean =>
    open.some((hold) => (codes as string[]).includes(hold.code));
  const canPrintAgain =
    printOrder !== null &&
    !has(holds, 'unknown_print_order') &&
    typeof findReprintMode({ shop, isOneNamed: true }, printOrder, own, lines) === 'string';
  const isCanceled = has(own, 'fulfillment_canceled');
  const canClose =
    printOrder !== null &&
    !has(holds, 'unknown_print_order', 'several_orders') &&
    (has(own, 'service_returned') || lines.some((line) => unitsToClose(printOrder, line, isCanceled) > 0));
  return listActionsFor(code).filter((action) => {
    if (action === 'print-again') return canPrintAgain;
    if (action === 'close') return canClose;
    return action !== 'approve' || !has(holds, 'unknown_print_order');
  });
}
