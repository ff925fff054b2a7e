import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { App } from '../../app.ts';
import { EndpointError } from '../error-response.ts';
import { readParameter } from '../read-parameter.ts';

/** How long a link works. The merchant looks at the preview before printing, and the browser may load the link again to print. */
const LIFETIME_MINUTES = 15;

/** The content of a link to packing slips. */
export interface PackingSlipLink {
  /** The shop's domain. */
  shop: string;
  /** The numeric parts of the orders' IDs in the store. */
  orders: string[];
  /** The merchant's language, for error pages and for the slips of buyers whose language is unknown. */
  locale: string;
}

/**
 * Returns an address with a short-lived signature for exactly these orders. The admin shows a printable document like any other web
 * document, so its request may have no session token (docs/rules/shopify.md#print-actions).
 */
export function signPackingSlipLink(app: App, { shop, orders, locale }: PackingSlipLink): string {
  const expires = String(Math.floor(app.clock.now().getTime() / 1000) + LIFETIME_MINUTES * 60);
  const values = { shop, orders: orders.join('-'), locale, expires };
  const query = new URLSearchParams({ ...values, signature: sign(app, Object.values(values)) });
  return `${app.config.shopify.appUrl}/packing-slips?${query.toString()}`;
}

/**
 * Returns the content of a request's link and whether the link has expired. Throws EndpointError 403 if the signature does not match.
 */
export function readPackingSlipLink(app: App, ctx: Context): PackingSlipLink & { isExpired: boolean } {
  const read = (name: string): string => readParameter(ctx, name) ?? '';
  const [shop, orders, locale, expires] = [read('shop'), read('orders'), read('locale'), read('expires')];
  const expected = Buffer.from(sign(app, [shop, orders, locale, expires]));
  const given = Buffer.from(read('signature'));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new EndpointError(
      403,
      'invalid_link',
      'This link to packing slips is not valid. Print them again from your orders.',
    );
  }
  // A time that is not a number of seconds has passed too.
  const isExpired = !/^\d{1,12}$/.test(expires) || app.clock.now().getTime() / 1000 >= Number(expires);
  return { shop, orders: orders.split('-'), locale, isExpired };
}

/** Returns the error for an expired link. */
export function expiredLinkError(): EndpointError {
  return new EndpointError(
    403,
    'expired_link',
    'This link to packing slips has expired. Print them again from your orders.',
  );
}

function sign(app: App, values: readonly string[]): string {
  return createHmac('sha256', app.config.shopify.apiSecret)
    .update(`packing slips\n${JSON.stringify(values)}`)
    .digest('hex');
}
