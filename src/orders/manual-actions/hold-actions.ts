import type { Hold, StorefrontOrder } from '../../database/entities/orders.ts';
import type { PrintOrder, PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { unitsToClose } from '../follow/close-in-store.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { isEndedByApproval } from '../facts/outcome-reasons.ts';
import { isOpen, type StorefrontOrderState } from '../facts/to-order-state.ts';
import { findReprintMode } from './print-again.ts';

/** Manual actions: `platen orders ACTION` and `POST /api/orders/:id/ACTION`. */
export const actions = ['approve', 'hold', 'retry', 'cancel', 'print-again', 'continue', 'close'] as const;
export type Action = (typeof actions)[number];

/**
 * What a hold's message or remedy can tell the merchant to choose in Platen, besides the actions on the order. A step with a slash or
 * `products` is the page to open.
 */
export const holdSteps = [
  'change-address',
  'change-shipping',
  'link-variant',
  'link-sku',
  'print-waiting',
  'leave-waiting',
  'own-product',
  'allow-other-app',
  'products',
  'settings/connection',
  'settings/release',
  'settings/shipping',
  'settings/address',
  'settings/buyers',
  'settings/products',
] as const;
export type HoldStep = (typeof holdSteps)[number];

const STEPS: Partial<Record<HoldCode, readonly HoldStep[]>> = {
  address_too_long: ['change-address'],
  address_missing_field: ['change-address'],
  local_script: ['change-address'],
  federal_tax_id: ['change-address'],
  state_tax_id: ['change-address'],
  email_missing: ['change-address', 'settings/address'],
  no_address: ['change-address'],
  pickup_point: ['change-address'],
  no_print_account: ['settings/connection'],
  print_account_refused: ['settings/connection'],
  print_account_changed: ['settings/connection'],
  printed_before: ['settings/connection'],
  needs_approval: ['settings/release'],
  no_print_link: ['link-variant'],
  not_linked: ['link-variant', 'print-waiting', 'leave-waiting', 'own-product'],
  variant_deleted: ['link-sku'],
  not_connected: ['products'],
  print_file_refused: ['settings/products'],
  another_app_prints: ['allow-other-app'],
  quote_refused: ['settings/shipping'],
  no_shipment_method: ['change-address', 'change-shipping', 'settings/shipping'],
  no_tracking: ['settings/buyers'],
};

/** Returns the steps outside the order's actions that can resolve a hold with this code. */
export function listStepsFor(code: string): readonly HoldStep[] {
  return STEPS[code as HoldCode] ?? [];
}

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

/** Returns the actions on an order as a whole. While it has a hold, the hold's actions apply. `canSend`: whether a part is unsent. */
export function listOrderActions({
  order: { heldAt, cancelAskedAt, outcomeReason },
  state,
  isHeld,
  canSend,
}: {
  order: Pick<StorefrontOrder, 'heldAt' | 'cancelAskedAt' | 'outcomeReason'>;
  state: StorefrontOrderState;
  isHeld: boolean;
  canSend: boolean;
}): Action[] {
  const canHold = cancelAskedAt === null;
  const unheld: Action[] = canHold ? ['hold', 'retry', 'cancel'] : ['retry', 'cancel'];
  const usual: Action[] = heldAt === null ? unheld : ['approve', 'cancel'];
  const possible = isHeld || !isOpen(state) ? [] : usual;
  const isStopped = isEndedByApproval(outcomeReason) || (cancelAskedAt !== null && canSend);
  return isStopped && !possible.includes('approve') ? ['approve', ...possible] : possible;
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

/** Returns the actions for a hold that are refused because of an unknown print order of the same order. Pure. */
export function listWithheldActions({ code }: Pick<Hold, 'code'>, holds: readonly Pick<Hold, 'code'>[]): Action[] {
  const isUnknown = holds.some((hold) => hold.code === 'unknown_print_order');
  return isUnknown ? listActionsFor(code).filter((one) => ['approve', 'print-again', 'close'].includes(one)) : [];
}

/** Returns the actions for a hold that Platen would accept now. Pure. */
export function findOfferedActions(hold: Hold, { shop, holds, printOrder, lines }: HoldContext): readonly Action[] {
  const own = holds.filter(({ printOrderId }) => printOrderId === printOrder?.id);
  const has = (open: readonly Hold[], ...codes: HoldCode[]): boolean =>
    open.some((hold) => (codes as string[]).includes(hold.code));
  const canPrintAgain =
    printOrder !== null && typeof findReprintMode({ shop, isOneNamed: true }, printOrder, own, lines) === 'string';
  const isCanceled = has(own, 'fulfillment_canceled');
  const canClose =
    printOrder !== null &&
    !has(holds, 'several_orders') &&
    (has(own, 'service_returned') || lines.some((line) => unitsToClose(printOrder, line, isCanceled) > 0));
  const withheld = listWithheldActions(hold, holds);
  return listActionsFor(hold.code).filter((action) => {
    if (withheld.includes(action)) return false;
    if (action === 'print-again') return canPrintAgain;
    return action !== 'close' || canClose;
  });
}
