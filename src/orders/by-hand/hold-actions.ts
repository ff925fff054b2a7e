import type { HoldCode } from '../hold-codes.ts';

/** What a person can do with an order: `platen orders ACTION` and `POST /api/orders/:id/ACTION`. */
export const actions = ['approve', 'hold', 'retry', 'cancel', 'print-again', 'continue', 'close'] as const;
export type Action = (typeof actions)[number];

/** Acts that settle a hold; a code that is not here is mended elsewhere (settings, store, service) and then tried again. */
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

/** What a person can do about a hold here. */
export function actionsFor(code: string): readonly Action[] {
  return ACTIONS[code as HoldCode] ?? ['retry', 'cancel'];
}
