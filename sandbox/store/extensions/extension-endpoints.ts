import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import { z } from 'zod';
import { parseOrRefuse, Refusal } from '../../refusal.ts';
import { readPolaris } from '../polaris/read-polaris.ts';
import { findShop } from '../shop/find-shop.ts';
import type { Store } from '../store.ts';
import { readExtension } from './read-extension.ts';
import { readOrderStatus } from './read-order-status.ts';
import { readTargetTags } from './target-tags.ts';

const querySchema = z.object({
  target: z.string(),
  /** The resources that are selected in the admin. */
  id: z.union([z.string(), z.array(z.string())]).default([]),
  locale: z
    .string()
    .regex(/^[a-z]{2}$/)
    .default('en'),
});

const host = readFileSync(new URL('host.js', import.meta.url), 'utf8');

/**
 * Creates the endpoints that show one of the app's extensions as Shopify does: in the admin on an order's or product's page, or in customer
 * accounts on a buyer's page.
 */
export function createExtensionRouter(store: Store): Router {
  const router = new Router();
  router.get('/extensions/host.js', (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = host;
  });
  router.get('/extensions/elements/:target', (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = readPolaris(readTargetTags(ctx.params['target'] ?? ''));
  });
  router.get('/extensions/scripts/:handle', (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = readExtension(ctx.params['handle'] ?? '').script;
  });
  router.get('/:shop/admin/extensions/:handle', (ctx) => {
    const { target, id, locale } = parseOrRefuse(querySchema, ctx.query);
    const handle = ctx.params['handle'] ?? '';
    const { targets, texts } = readExtension(handle);
    if (!targets.includes(target)) throw new Refusal(404, 'not_found', `${handle} does not extend ${target}.`);
    const { domain, currencyCode: currency, ianaTimezone: timeZone } = findShop(store, String(ctx.params['shop']));
    const tokenUrl = `/${domain}/admin/id-token`;
    const { appUrl } = store.options;
    ctx.type = 'text/html';
    ctx.body = renderHost(handle, {
      target,
      locale,
      texts,
      selected: [id].flat(),
      appUrl,
      tokenUrl,
      currency,
      timeZone,
    });
  });
  router.get('/:shop/account/extensions/:handle', (ctx) => {
    const { target, locale } = parseOrRefuse(querySchema, ctx.query);
    const handle = ctx.params['handle'] ?? '';
    const extension = readExtension(handle);
    if (!extension.targets.includes(target) || !target.startsWith('customer-account.order-status.'))
      throw new Refusal(404, 'not_found', `${handle} does not extend ${target}.`);
    const shop = findShop(store, String(ctx.params['shop']));
    const { currencyCode: currency, ianaTimezone: timeZone } = shop;
    const buyer = readOrderStatus(store, shop, extension, ctx.query);
    ctx.type = 'text/html';
    ctx.body = renderHost(handle, { target, locale, texts: extension.texts, currency, timeZone, buyer });
  });
  return router;
}

function renderHost(handle: string, data: { target: string; locale: string } & Record<string, unknown>): string {
  return `<!doctype html>
<html lang="${data.locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${handle}</title>
<script src="/extensions/elements/${data.target}"></script>
<script type="application/json" id="extension">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>
<script src="/extensions/host.js"></script></head>
<body><script src="/extensions/scripts/${handle}"></script></body>
</html>
`;
}
