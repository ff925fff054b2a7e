import type { FulfillmentTrackingInput } from '../shopify/generated/operations.ts';
import type { Tracking } from './store-fulfillments.ts';

/** Companies by the domain of their own tracking pages, under the names that Shopify knows them by; others stay unnamed. */
const COMPANIES: readonly (readonly [domain: string, company: string])[] = [
  ['ups.com', 'UPS'],
  ['usps.com', 'USPS'],
  ['fedex.com', 'FedEx'],
  ['royalmail.com', 'Royal Mail'],
  ['canadapost-postescanada.ca', 'Canada Post'],
  ['auspost.com.au', 'Australia Post'],
];

/**
 * The tracking of a fulfilment. Shopify pairs numbers and URLs by position and takes one company for all: URLs are given when each
 * code has one, the company when the store has one already or it is surely that of each (Shopify page, "Rules of fulfillmentCreate").
 */
export function toTrackingInfo(tracking: readonly Tracking[]): FulfillmentTrackingInput {
  const numbers = tracking.map(({ number }) => number);
  const urls = tracking.flatMap(({ url }) => url ?? []);
  const known = new Set(tracking.map(({ url }) => toCompany(url)));
  const company = tracking.find((one) => one.company)?.company ?? (known.size === 1 ? [...known][0] : null);
  return {
    numbers,
    ...(urls.length === numbers.length ? { urls } : {}),
    ...(company ? { company } : {}),
  };
}

function toCompany(url: string | null): string | null {
  const host = url === null ? null : (URL.parse(url)?.hostname ?? null);
  if (host === null) return null;
  const found = COMPANIES.find(([domain]) => host === domain || host.endsWith(`.${domain}`));
  return found?.[1] ?? null;
}
