import type Router from '@koa/router';
import { z } from 'zod';
import { jsonOf, textOf } from '../../json-body.ts';
import { parseOrRefuse } from '../../refusal.ts';
import { deleteService } from '../fulfillment/service-mutations.ts';
import { changeScopes } from '../access/change-scopes.ts';
import { toCustomerRedaction, toDataRequest } from '../orders/customers.ts';
import { exactJson } from '../graphql/exact-json.ts';
import { findShop } from './find-shop.ts';
import { toNumericId } from '../graphql/gid.ts';
import { installApp, openingUrl } from '../access/install.ts';
import { seedShop } from '../import/seed-shop.ts';
import { shopPayload } from './shop-payload.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { uninstallApp } from '../access/uninstall.ts';

const newShopSchema = z.strictObject({
  shop: z.string().regex(/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/, 'must be a shop.myshopify.com domain'),
  /** False if the app is not installed in the shop yet. */
  installed: z.boolean().default(true),
});
const changeSchema = z.strictObject({
  name: z.string().min(1).optional(),
  email: z.string().optional(),
  contactEmail: z.string().optional(),
  currencyCode: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  ianaTimezone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Riga').optional(),
  /** Whether the plan includes rates from apps at checkout. */
  carrierCalculatedShipping: z.boolean().optional(),
  /** Whether the app's current carrier services are in the merchant's shipping profile. */
  carrierInProfiles: z.boolean().optional(),
  /** Topics such as ORDERS_PAID. */
  apiSubscriptions: z
    .array(z.string().regex(/^[A-Z_]+$/))
    .max(50)
    .optional(),
});
const scopesSchema = z.strictObject({
  grant: z.array(z.string()).default([]),
  revoke: z.array(z.string()).default([]),
  answersRequests: z.enum(['grant', 'refuse']).optional(),
});
/** Whether the location of the deleted service stays, as a location of the merchant. */
const deleteServiceSchema = z.strictObject({ keepsLocation: z.boolean().default(true) });
const customerSchema = z.strictObject({ shop: z.string().optional() });

/** Adds the endpoints that install and uninstall the app, grant scopes, change the shop and send customers' privacy requests. */
export function addShopEndpoints(router: Router, store: Store): void {
  router.get('/shops', (ctx) => {
    ctx.body = store.shops().map(showShop);
  });
  router.post('/shops', (ctx) => {
    const { shop, installed } = parseOrRefuse(newShopSchema, jsonOf(ctx));
    seedShop(store, shop, installed);
    ctx.status = 201;
    ctx.body = { shop };
  });
  router.post('/shops/:shop', (ctx) => {
    const known = findShop(store, String(ctx.params['shop']));
    const changes = parseOrRefuse(changeSchema, jsonOf(ctx));
    const shop: Shop = {
      ...known,
      name: changes.name ?? known.name,
      email: changes.email ?? known.email,
      contactEmail: changes.contactEmail ?? known.contactEmail,
      currencyCode: changes.currencyCode ?? known.currencyCode,
      ianaTimezone: changes.ianaTimezone ?? known.ianaTimezone,
      ...(changes.carrierCalculatedShipping === undefined
        ? {}
        : { refusesCarriers: !changes.carrierCalculatedShipping }),
      ...(changes.apiSubscriptions === undefined ? {} : { apiSubscriptions: changes.apiSubscriptions }),
      ...(changes.carrierInProfiles === undefined
        ? {}
        : { carriersInProfiles: changes.carrierInProfiles ? (known.carrierServices ?? []).map(({ id }) => id) : [] }),
    };
    const event = { shop: shop.domain, topic: 'shop/update' as const, body: shopPayload(shop) };
    const profile = exactJson({ id: BigInt(toNumericId(shop.id)) });
    const ofProfile = { shop: shop.domain, topic: 'profiles/update' as const, body: profile };
    const events = changes.carrierInProfiles === undefined ? [event] : [event, ofProfile];
    store.write([['put', 'shops', shop.domain, shop]], events);
    ctx.body = showShop(shop);
  });
  router.post('/shops/:shop/install', (ctx) => {
    const shop = installApp(store, findShop(store, String(ctx.params['shop'])));
    ctx.body = { shop: shop.domain, installed: true, url: openingUrl(store, shop) };
  });
  router.post('/shops/:shop/uninstall', (ctx) => {
    const shop = findShop(store, String(ctx.params['shop']));
    uninstallApp(store, shop);
    ctx.body = { shop: shop.domain, installed: false };
  });
  router.post('/shops/:shop/scopes', (ctx) => {
    const { grant, revoke, answersRequests } = parseOrRefuse(scopesSchema, jsonOf(ctx));
    const shop = changeScopes(store, findShop(store, String(ctx.params['shop'])), { grant, revoke });
    const changed = { ...shop, answersRequests: answersRequests ?? shop.answersRequests };
    store.write([['put', 'shops', shop.domain, changed]]);
    ctx.body = showShop(changed);
  });
  router.post('/shops/:shop/delete-service', (ctx) => {
    const shop = findShop(store, String(ctx.params['shop']));
    const { keepsLocation } = parseOrRefuse(deleteServiceSchema, textOf(ctx) === '' ? {} : jsonOf(ctx));
    for (const { id } of shop.fulfillmentServices.filter(({ ownedByApp }) => ownedByApp))
      deleteService(store, findShop(store, shop.domain), { id, inventoryAction: keepsLocation ? 'KEEP' : 'DELETE' });
    ctx.body = showShop(shop);
  });
  const onCustomer = (path: string, toEvent: typeof toDataRequest) =>
    router.post(`/customers/:id/${path}`, (ctx) => {
      const { shop } = parseOrRefuse(customerSchema, textOf(ctx) === '' ? {} : jsonOf(ctx));
      const event = toEvent(store, String(ctx.params['id']), shop);
      store.write([], [event]);
      ctx.status = 202;
      ctx.type = 'application/json';
      ctx.body = event.body;
    });
  onCustomer('data-request', toDataRequest);
  onCustomer('redact', toCustomerRedaction);
}

function isTimeZone(text: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: text }));
  } catch {
    return false;
  }
}

function showShop({ id, domain, name, installed, grantedScopes, answersRequests }: Shop) {
  return { id, shop: domain, name, installed, grantedScopes, answersRequests };
}
