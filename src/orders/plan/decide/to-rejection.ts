import type { FulfillmentOrderRejectionReason } from '../../../shopify/calls/fulfillment-requests.ts';
import { remedyOf, type HoldCode } from '../../facts/hold-codes.ts';
import type { PlannedHold, PlannedRejection } from './plan.ts';

/**
 * Rejection reasons for holds that only the merchant can resolve. Holds that the operator or an approval resolves do not cause a rejection.
 */
const REASONS: Partial<Record<HoldCode, FulfillmentOrderRejectionReason>> = {
  no_print_link: 'INCORRECT_PRODUCT_INFO',
  print_file_refused: 'INCORRECT_PRODUCT_INFO',
  variant_deleted: 'INCORRECT_PRODUCT_INFO',
  not_connected: 'INELIGIBLE_PRODUCT',
  no_address: 'INCORRECT_ADDRESS',
  address_too_long: 'INCORRECT_ADDRESS',
  address_missing_field: 'INCORRECT_ADDRESS',
  local_script: 'INCORRECT_ADDRESS',
  email_missing: 'INVALID_CONTACT_INFORMATION',
  federal_tax_id: 'MISSING_CUSTOMS_INFO',
  state_tax_id: 'MISSING_CUSTOMS_INFO',
  pickup_point: 'UNDELIVERABLE_DESTINATION',
};

/**
 * Rejects a fulfillment request whose lines cannot be printed. The message describes each problem and how to fix it. Returns null if the
 * merchant can fix none of the problems. The request then stays open and continues automatically once the problems are resolved.
 */
export function toRejection(
  shopifyFulfillmentOrderId: string,
  holds: readonly Pick<PlannedHold, 'code' | 'message'>[],
): PlannedRejection | null {
  const fixable = holds.filter(({ code }) => code in REASONS);
  const [first] = fixable;
  const reason = first && REASONS[first.code as HoldCode];
  if (!reason) return null;
  const remedies = [...new Set(fixable.map(({ code }) => remedyOf(code)))];
  const words = [...fixable.map(({ message }) => message), ...remedies, 'Then request the fulfillment again.'];
  return { shopifyFulfillmentOrderId, reason, message: words.join(' ') };
}
