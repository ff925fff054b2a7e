import { ADDRESS_REMEDIES } from '../address/address-hold.ts';
import type { Hold } from '../../database/entities/orders.ts';
import { remedyOf, type HoldCode } from '../facts/hold-codes.ts';
import type { FulfillmentHoldReason } from '../../shopify/generated/operations.ts';
import { truncateText } from '../../truncate-text.ts';

/**
 * Shopify's hold reason for each of Platen's hold codes that the store shows. Holds for outages, shop-wide problems and shipped parcels are
 * not shown in the store.
 */
const REASONS = new Map<string, FulfillmentHoldReason>([
  ...Object.keys(ADDRESS_REMEDIES).map((code): [string, FulfillmentHoldReason] => [code, 'INCORRECT_ADDRESS']),
  ...entries('INCORRECT_ADDRESS', ['no_address', 'pickup_point']),
  ...entries('HIGH_RISK_OF_FRAUD', ['high_risk']),
  ...entries('OTHER', [
    'needs_approval',
    'held_by_hand',
    'no_print_link',
    'print_file_refused',
    'variant_deleted',
    'not_connected',
    'quote_refused',
    'no_shipment_method',
    'create_refused',
    'confirm_refused',
    'draft_gone',
    'outcome_unknown',
    'items_differ',
    'service_on_hold',
    'service_failed',
    'service_canceled',
    'changed_after_submit',
  ]),
]);

function entries(reason: FulfillmentHoldReason, codes: readonly HoldCode[]): [string, FulfillmentHoldReason][] {
  return codes.map((code) => [code, reason]);
}

/** Returns Shopify's reason for a hold, or null if Platen does not show this hold in the store. */
export function toHoldReason({ code }: Pick<Hold, 'code'>): FulfillmentHoldReason | null {
  return REASONS.get(code) ?? null;
}

/** Joins hold messages and remedies for the merchant, limited to `longest` characters. Returns '' if there are no holds. */
export function describeHolds(holds: readonly Pick<Hold, 'code' | 'message'>[], longest: number): string {
  const said = [...new Set(holds.map(({ code, message }) => `${message} ${remedyOf(code)}`))].join('\n');
  return said.length <= longest ? said : `${truncateText(said, longest - 1).trimEnd()}…`;
}
