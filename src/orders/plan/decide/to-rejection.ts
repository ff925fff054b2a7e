import type { FulfillmentOrderRejectionReason } from '../../../shopify/calls/fulfillment-requests.ts';
import { remedyOf, type HoldCode } from '../../facts/hold-codes.ts';
import type { PlannedHold, PlannedRejection } from './plan.ts';

/** Shopify's reason for each hold that only the merchant can end; what the app itself lacks, or a person's word, rejects nothing. */
const REASONS: Partial<Record<HoldCode, FulfillmentOrderRejectionReason>> = {
  no_print_link: 'INCORRECT_PRODUCT_INFO',
  print_file_refused: 'INCORRECT_PRODUCT_INFO',
  variant_deleted: 'INCORRECT_PRODUCT_INFO',
  not_connected: 'INELIGIBLE_PRODUCT',
  no_address: 'INCORRECT_ADDRESS',
  address_too_long: 'INCORRECT_ADDRESS',
  address_missing_field: 'INCORRECT_ADDRESS',
  local_script: 'INCORRECT_ADDRESS',
  state_missing: 'INCORRECT_ADDRESS',
  email_missing: 'INVALID_CONTACT_INFORMATION',
  federal_tax_id: 'MISSING_CUSTOMS_INFO',
  state_tax_id: 'MISSING_CUSTOMS_INFO',
  pickup_point: 'UNDELIVERABLE_DESTINATION',
};

/**
 * The answer to a request that cannot go to print as it is: what is wrong of each line and of the order, and what mends it. Null when
 * none of it is the merchant's to mend: then the request stays open and goes on by itself.
 */
export function toRejection(
  shopifyFulfillmentOrderId: string,
  holds: readonly Pick<PlannedHold, 'code' | 'message'>[],
): PlannedRejection | null {
  const mendable = holds.filter(({ code }) => code in REASONS);
  const [first] = mendable;
  const reason = first && REASONS[first.code as HoldCode];
  if (!reason) return null;
  const remedies = [...new Set(mendable.map(({ code }) => remedyOf(code)))];
  const words = [...mendable.map(({ message }) => message), ...remedies, 'Then request the fulfillment again.'];
  return { shopifyFulfillmentOrderId, reason, message: words.join(' ') };
}
