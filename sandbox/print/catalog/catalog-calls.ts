import type Router from '@koa/router';
import type { Context } from 'koa';
import { stockAvailabilityRequestSchema } from '../../../src/print/current/catalog-v3.ts';
import { jsonOf } from '../../json-body.ts';
import { Refusal } from '../../refusal.ts';
import { authenticate } from '../authenticate.ts';
import { parseRequest } from '../parse-request.ts';
import type { StandIn } from '../stand-in.ts';
import { catalogOf, catalogs } from './find-product.ts';
import { listPrices } from './list-prices.ts';
import { searchProducts } from './search-products.ts';
import { stockOf, type ProductStock } from './stock.ts';

const STOCK_PRODUCTS = 250;

/**
 * Adds the catalog endpoints: the search of the documented interface and, if extended calls are served, the calls for catalogs, prices and
 * stock.
 */
export function addCatalogCalls(router: Router, standIn: StandIn): void {
  router.post('/v3/catalogs/:catalogUid/products\\:search', (ctx) => {
    authenticate(ctx);
    ctx.body = searchProducts(paramOf(ctx, 'catalogUid'), jsonOf(ctx));
  });
  if (!standIn.extended) return;

  router.get('/v3/catalogs', (ctx) => {
    authenticate(ctx);
    ctx.body = catalogs.map(({ catalogUid, title }) => ({ catalogUid, title }));
  });
  router.get('/v3/catalogs/:catalogUid', (ctx) => {
    authenticate(ctx);
    const { catalogUid, title, productAttributes } = catalogOf(paramOf(ctx, 'catalogUid'));
    ctx.body = { catalogUid, title, productAttributes };
  });
  router.get('/v3/products/:productUid/prices', (ctx) => {
    authenticate(ctx);
    ctx.body = listPrices(paramOf(ctx, 'productUid'), ctx.query);
  });
  router.post('/v3/stock/region-availability', (ctx) => {
    authenticate(ctx);
    ctx.body = { productsAvailability: readStock(standIn, jsonOf(ctx)) };
  });
}

/** Returns the stock of up to 250 products, in the requested order. Throws a `Refusal` for more products. */
function readStock(standIn: StandIn, body: unknown): ProductStock[] {
  const asked: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'products') : undefined;
  if (Array.isArray(asked) && asked.length > STOCK_PRODUCTS) {
    const message = `Too many products requested: ${asked.length} of maximum ${STOCK_PRODUCTS}.`;
    throw new Refusal(400, 'invalid_request_too_many_products', message);
  }
  return parseRequest(stockAvailabilityRequestSchema, body).products.map((productUid) => stockOf(standIn, productUid));
}

function paramOf(ctx: Context, name: string): string {
  const params = ctx['params'] as Record<string, string>;
  return params[name] ?? '';
}
