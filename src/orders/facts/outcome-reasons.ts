/** The reasons why an order is waiting or has nothing to print, in sentences for the merchant. */
const REASONS = {
  unread: 'Platen has not read the order from the store yet.',
  unpaid: 'The order is not paid yet.',
  edit_requested:
    'The buyer has requested to remove items from the order. Edit the order in the store if you agree, and mark the request as resolved. Otherwise, decline it. Platen then continues.',
  delay: 'The order is waiting until the delay set for this shop has passed.',
  risk_pending: 'The store has not finished its fraud analysis yet.',
  buyer_pending: "The store has not counted the buyer's earlier orders yet.",
  daily_release: 'The order is waiting for the daily release.',
  no_fulfillment_orders: 'The store has not yet decided where the order ships from.',
  on_hold: 'The fulfillment is on hold in the store.',
  scheduled: 'In the store, the fulfillment is scheduled for a later date.',
  needs_request: 'The fulfillment must be requested in the store.',
  former_location:
    "Someone deleted Platen's fulfillment service in the store, and the items stayed at its former location. In the store, move them to Platen's new location. To print them where they are, allow printing at your own locations in the settings.",
  request_rejected: 'The fulfillment request was rejected. Request it again in the store.',
  cancellation_requested: 'The merchant has requested to cancel the fulfillment.',
  cancellation_rejected:
    'A cancellation came too late for part of the order. The part that was stopped is not printed unless you choose "Approve".',
  needs_sign_in: 'The app has lost its access to the store. Open the app once in the store.',
  fenced_off:
    "Another database of Platen has taken over the store, so this one sends nothing. Platen's operator must stop one of the two.",
  platen_left: 'Platen was removed from the store, or is leaving it. It no longer sends or follows anything.',
  canceled: 'The order was canceled in the store.',
  canceled_by_hand:
    'Printing was canceled by hand. No further items of the order are sent to print unless you choose "Approve".',
  refunded: 'The order was refunded.',
  not_payable: 'The payment was voided, or it has expired.',
  test_order: 'A test order is never printed.',
  placed_before_install: "The order was placed before the date from which Platen prints this shop's orders.",
  no_line_of_ours: 'Platen prints none of the lines in the order.',
  already_fulfilled: 'Everything has already been fulfilled.',
  lines_refunded: 'Every line that Platen prints was refunded.',
  lines_removed: 'Every line that Platen prints was removed from the order.',
  cancellation_accepted:
    "Nothing is left to fulfill: the fulfillment was canceled at the merchant's request in the store.",
  closed_in_store: 'Nothing is left to fulfill: the items that will not be printed are closed in the store.',
  left_to_others:
    'Platen does not print the rest of the order: it is at another location, with another app, or for pickup.',
  nothing_left: 'Nothing is left to fulfill: the rest was refunded, canceled or closed in the store.',
  printed_already: 'Every unit has already been sent to print.',
  customer_redacted: "The customer's data was erased on request. No further items of the order are sent to print.",
  data_expired:
    'The order was not sent to print within 90 days, and addresses are not stored for longer. Fulfill the order by hand, or refund the buyer.',
  not_found: 'The store no longer has this order.',
} as const;

export type OutcomeReason = keyof typeof REASONS;

export const outcomeReasons = Object.keys(REASONS) as OutcomeReason[];

/** Reasons why nothing is left to fulfill in the store for an order. A canceled fulfillment may reopen such an order. */
export const nothingToFulfillReasons: readonly OutcomeReason[] = [
  'already_fulfilled',
  'lines_refunded',
  'lines_removed',
  'cancellation_accepted',
  'closed_in_store',
  'left_to_others',
  'nothing_left',
];
const NOTHING_TO_FULFILL: ReadonlySet<string> = new Set(nothingToFulfillReasons);

/** Returns whether nothing is left to fulfill in the store for one of Platen's orders. */
export function hasNothingToFulfill(reason: string | null): boolean {
  return NOTHING_TO_FULFILL.has(reason ?? '');
}

/** Returns whether an approval continues an order with this reason. */
export function isEndedByApproval(reason: string | null): boolean {
  return reason === 'cancellation_rejected' || reason === 'canceled_by_hand';
}

/** Returns the text for a reason. An unknown reason is returned unchanged. */
export function describeOutcome(reason: string): string {
  return reason in REASONS ? REASONS[reason as OutcomeReason] : reason;
}
