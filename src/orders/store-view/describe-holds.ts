import type { Hold } from '../../database/entities/orders.ts';
import { remedyOf, type HoldCode } from '../facts/hold-codes.ts';
import type { FulfillmentHoldReason } from '../../shopify/generated/operations.ts';
import { truncateText } from '../../truncate-text.ts';

/**
 * Shopify's hold reason for each of Platen's hold codes. Null: the store does not show the hold, because it concerns the whole shop, the
 * operator, an outage or a print order that is being printed or has shipped, or because Platen does not print the line.
 */
const REASONS: Record<HoldCode, FulfillmentHoldReason | null> = {
  no_address: 'INCORRECT_ADDRESS',
  address_too_long: 'INCORRECT_ADDRESS',
  address_missing_field: 'INCORRECT_ADDRESS',
  local_script: 'INCORRECT_ADDRESS',
  high_risk: 'HIGH_RISK_OF_FRAUD',
  // The address is correct, but the buyer or the merchant must decide something else.
  pickup_point: 'OTHER',
  email_missing: 'OTHER',
  federal_tax_id: 'OTHER',
  state_tax_id: 'OTHER',
  needs_approval: 'OTHER',
  held_by_hand: 'OTHER',
  no_print_link: 'OTHER',
  print_file_refused: 'OTHER',
  variant_deleted: 'OTHER',
  not_connected: 'OTHER',
  quote_refused: 'OTHER',
  no_shipment_method: 'OTHER',
  create_refused: 'OTHER',
  confirm_refused: 'OTHER',
  draft_gone: 'OTHER',
  outcome_unknown: 'OTHER',
  items_differ: 'OTHER',
  service_on_hold: 'OTHER',
  service_failed: 'OTHER',
  service_canceled: 'OTHER',
  changed_after_submit: 'OTHER',
  protected_data: null,
  no_print_account: null,
  print_account_refused: null,
  print_account_changed: null,
  another_app_prints: null,
  payment_refused: null,
  not_linked: null,
  left_as_draft: null,
  draft_edited: null,
  unknown_print_order: null,
  order_missing: null,
  several_orders: null,
  service_pending_approval: null,
  service_pending_personalization: null,
  service_not_connected: null,
  service_returned: null,
  cannot_cancel: null,
  no_tracking: null,
  no_progress: null,
  fulfillment_canceled: null,
  fulfillment_refused: null,
  step_failing: null,
};

/** Returns Shopify's reason for a hold, or null if Platen does not show this hold in the store. */
export function toHoldReason({ code }: Pick<Hold, 'code'>): FulfillmentHoldReason | null {
  return code in REASONS ? REASONS[code as HoldCode] : null;
}

/** Joins hold messages and remedies for the merchant, limited to `longest` characters. Returns '' if there are no holds. */
export function describeHolds(holds: readonly Pick<Hold, 'code' | 'message'>[], longest: number): string {
  const said = [...new Set(holds.map(({ code, message }) => `${message} ${remedyOf(code)}`))].join('\n');
  return said.length <= longest ? said : `${truncateText(said, longest - 1).trimEnd()}…`;
}
