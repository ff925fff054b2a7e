/** Why an order waits, or why there is nothing to do, in words for the merchant. */
const REASONS = {
  unread: 'Platen has not read the order from the store yet.',
  unpaid: 'The order is not paid yet.',
  delay: 'The order waits for the delay set for this shop.',
  risk_pending: 'The store has not finished its fraud analysis yet.',
  buyer_pending: "The store has not counted the buyer's earlier orders yet.",
  daily_release: 'The order goes to print with the others of the day.',
  no_fulfillment_orders: 'The store has not said yet from where the order ships.',
  on_hold: 'The fulfilment is on hold in the store.',
  scheduled: 'The fulfilment is scheduled for later in the store.',
  needs_request: 'The fulfilment must be requested in the store.',
  request_rejected: 'The fulfilment request was rejected; request it again in the store.',
  cancellation_requested: 'The merchant asked to cancel the fulfilment.',
  cancellation_rejected:
    'A cancellation was asked for that came too late for a part: nothing is begun anew for it unless you say so ("approve").',
  needs_sign_in: 'The app has lost its access to the store: open it there once.',
  canceled: 'The order was cancelled in the store.',
  canceled_by_hand:
    'Somebody canceled its printing: Platen sends nothing more of it to print unless it is approved again.',
  not_payable: 'The payment was voided, refunded or has expired.',
  test_order: 'A test order is never printed.',
  placed_before_install: 'The order was placed before the time from which this shop takes orders.',
  no_line_of_ours: 'No line of the order is printed by us.',
  already_fulfilled: 'Everything was fulfilled already.',
  lines_removed: 'Every line that Platen prints was taken out of the order.',
  cancellation_accepted: 'Nothing is left to fulfill: the fulfillment was canceled as the merchant asked in the store.',
  closed_in_store: 'Nothing is left to fulfill: what will not be made is closed in the store.',
  left_to_others:
    'Platen does not print the rest of the order: it is at another location, with another app, or for pickup.',
  nothing_left: 'Nothing is left to fulfill: the rest was refunded, canceled or closed in the store.',
  printed_already: 'Every unit was sent to print already.',
  customer_redacted: "The customer's data was erased on request: nothing of the order is sent to print any more.",
  data_expired:
    'It was not sent to print for 90 days, and an address is kept no longer: fulfil the order by hand, or refund the buyer.',
  not_found: 'The store does not have this order any more.',
} as const;

export type OutcomeReason = keyof typeof REASONS;

/** Reasons of an order that was carried out as far as the store wants it: a canceled fulfillment there may want more. */
const CARRIED_OUT: ReadonlySet<string> = new Set<OutcomeReason>([
  'already_fulfilled',
  'lines_removed',
  'cancellation_accepted',
  'closed_in_store',
  'left_to_others',
  'nothing_left',
]);

/** Whether the store has nothing left to fulfill of an order of ours. */
export function isCarriedOut(reason: string | null): boolean {
  return CARRIED_OUT.has(reason ?? '');
}

/** The words for a reason; an unknown one as it is. */
export function describeOutcome(reason: string): string {
  return reason in REASONS ? REASONS[reason as OutcomeReason] : reason;
}
