import type Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse } from '../../refusal.ts';
import { authenticate } from '../authenticate.ts';
import type { StandIn } from '../stand-in.ts';
import { createFromTemplate } from './create-from-template.ts';
import { toProductBody, toTemplateResponse } from './product-body.ts';
import { findStore, findStoreProduct, findTemplate, productsOf, type Store } from './store-records.ts';

const DEFAULT_LIMIT = 50;
const pageSchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(DEFAULT_LIMIT),
  offset: z.coerce.number().int().min(0).default(0),
});

/**
 * Adds the endpoints for store products: the call of the documented interface and, if extended calls are served, the calls that list
 * products, read templates and create a product from a template.
 */
export function addStoreProductCalls(router: Router, standIn: StandIn): void {
  router.get('/v1/stores/:storeId/products/:productId', (ctx) => {
    const store = storeOf(standIn, ctx);
    ctx.body = toProductBody(standIn, findStoreProduct(standIn, store.id, String(ctx.params['productId'])).product);
  });
  if (!standIn.extended) return;

  router.get('/v1/stores/:storeId/products', (ctx) => {
    const store = storeOf(standIn, ctx);
    const { limit, offset } = parseOrRefuse(pageSchema, ctx.query);
    const newestFirst = productsOf(standIn, store.id).toReversed();
    ctx.body = {
      products: newestFirst.slice(offset, offset + limit).map(({ product }) => toProductBody(standIn, product)),
    };
  });
  router.get('/v1/templates/:templateId', (ctx) => {
    const account = authenticate(ctx);
    ctx.body = toTemplateResponse(standIn, findTemplate(standIn, account, String(ctx.params['templateId'])));
  });
  router.post('/v1/stores/:storeId/products\\:create-from-template', (ctx) => {
    ctx.body = createFromTemplate(standIn, storeOf(standIn, ctx), jsonOf(ctx));
  });
}

/** Returns the store that a request names. Throws a 404 if the store does not belong to the requesting account. */
function storeOf(standIn: StandIn, ctx: Context): Store {
  const params = ctx['params'] as Record<string, string>;
  return findStore(standIn, authenticate(ctx), params['storeId'] ?? '');
}
