import type Router from '@koa/router';
import { z } from 'zod';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse } from '../../refusal.ts';
import { mailingAddressInputSchema, toAddress } from '../orders/address.ts';
import { requestRates } from './request-rates.ts';
import { buyerAddress, lineSchema, toLineItem } from '../orders/create-order.ts';
import { findShop } from '../shop/find-shop.ts';
import { toGid } from '../graphql/gid.ts';
import type { Store } from '../store.ts';

/** How long Shopify waits for a carrier service that gets fewer than 1,500 requests per minute. */
const TIMEOUT_MS = 10_000;

const ratesSchema = z.strictObject({
  shop: z.string().default('demo.myshopify.com'),
  destination: mailingAddressInputSchema.default(buyerAddress),
  items: z.array(lineSchema).min(1).max(250),
  /** The default is the shop's currency. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  locale: z.string().default('en'),
  customer: z
    .strictObject({ id: z.string().regex(/^\d+$/), tags: z.array(z.string()).default([]) })
    .nullable()
    .default(null),
  timeoutMs: z.int().min(1).max(60_000).default(TIMEOUT_MS),
});

/** Adds the endpoint that requests rates from the app's carrier services in the same way as a checkout. */
export function addRatesEndpoint(router: Router, store: Store): void {
  router.post('/rates', async (ctx) => {
    const { destination, items, currency, locale, customer, timeoutMs, ...input } = parseOrRefuse(
      ratesSchema,
      jsonOf(ctx),
    );
    const shop = findShop(store, input.shop);
    const cart = {
      destination: toAddress(destination),
      lines: items.map((line, index) => toLineItem(store, shop, line, index)),
      currency: currency ?? shop.currencyCode,
      locale,
      customer: customer && { ...customer, id: toGid('Customer', customer.id) },
    };
    ctx.body = await requestRates(store, shop, cart, timeoutMs);
  });
}
