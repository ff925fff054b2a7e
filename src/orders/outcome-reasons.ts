/** Why an order waits, or why there is nothing to do, in words for the merchant. */
const REASONS = {
  unpaid: 'The order is not paid yet.',
  delay: 'The order waits for the delay set for this shop.',
  no_fulfillment_orders: 'The store has not said yet from where the order ships.',
  on_hold: 'The fulfilment is on hold in the store.',
  scheduled: 'The fulfilment is scheduled for later in the store.',
  needs_request: 'The fulfilment must be requested in the store.',
  request_rejected: 'The fulfilment request was rejected; request it again in the store.',
  cancellation_requested: 'The merchant asked to cancel the fulfilment.',
  needs_sign_in: 'The app has lost its access to the store: open it there once.',
  canceled: 'The order was cancelled in the store.',
  not_payable: 'The payment was voided, refunded or has expired.',
  test_order: 'A test order is never printed.',
  placed_before_install: 'The order was placed before the time from which this shop takes orders.',
  no_line_of_ours: 'No line of the order is printed by us.',
  already_fulfilled: 'Everything was fulfilled already.',
  printed_already: 'Every unit was sent to print already.',
  not_found: 'The store does not have this order any more.',
} as const;

export type OutcomeReason = keyof typeof REASONS;

/** The words for a reason; an unknown one as it is. */
export function describeOutcome(reason: string): string {
  return reason in REASONS ? REASONS[reason as OutcomeReason] : reason;
}
