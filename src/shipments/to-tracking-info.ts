import type { FulfillmentTrackingInput } from '../shopify/generated/operations.ts';
import { NO_TRACKING_CODE } from '../orders/facts/describe-tracking-codes.ts';
import type { Tracking } from './store-fulfillments.ts';

/**
 * Converts tracking codes to Shopify's input. Shopify pairs numbers and URLs by position and accepts one company for all codes. The input
 * has URLs only if every code has a URL. The input has a company only if one is `kept` or every code has the same company
 * (docs/rules/shopify.md#rules-of-fulfillmentcreate).
 */
export function toTrackingInfo(tracking: readonly Tracking[], kept: string | null = null): FulfillmentTrackingInput {
  const coded = tracking.filter(({ number }) => number !== NO_TRACKING_CODE);
  const numbers = coded.map(({ number }) => number);
  const urls = coded.flatMap(({ url }) => url ?? []);
  const companies = new Set(coded.map(({ company }) => company));
  const company = kept ?? (companies.size === 1 ? [...companies][0] : null);
  return {
    numbers,
    ...(urls.length === numbers.length ? { urls } : {}),
    ...(company ? { company } : {}),
  };
}
