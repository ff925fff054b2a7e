import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { parsePriceRequest, readCatalogProduct } from '../../products/catalog/read-catalog-product.ts';
import { listCatalogs, readCatalog } from '../../products/catalog/read-catalogs.ts';
import { parseSearch, searchCatalog } from '../../products/catalog/search-catalog.ts';
import { readRawBody } from '../raw-body.ts';
import { sessionShop } from '../sign-in/session-token.ts';

const BODY_LIMIT = 64 * 1024;

/** `GET /api/catalog`: the print service's catalogs. */
export function getCatalogs(app: App): Middleware {
  return async (ctx) => {
    ctx.body = { catalogs: await listCatalogs(app, sessionShop(ctx)) };
  };
}

/** `GET /api/catalog/:catalogUid`: a catalog with its products' attributes and their values. */
export function getCatalog(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await readCatalog(app, sessionShop(ctx), readPathParameter(ctx, 'catalogUid'));
  };
}

/** `POST /api/catalog/:catalogUid/products` with `{"attributeFilters"?,"limit"?,"offset"?}`: matching products and facet counts. */
export function postCatalogSearch(app: App): Middleware {
  return async (ctx) => {
    const search = await parseSearch(parseJsonObject(await readRawBody(ctx, BODY_LIMIT)));
    ctx.body = await searchCatalog(app, sessionShop(ctx), readPathParameter(ctx, 'catalogUid'), search);
  };
}

/** `GET /api/catalog/products/:productUid?country=&currency=&pageCount=`: a product's prices and stock. */
export function getCatalogProduct(app: App): Middleware {
  return async (ctx) => {
    const { country, currency, pageCount } = ctx.query;
    const question = parsePriceRequest({ country, currency, pageCount });
    ctx.body = await readCatalogProduct(app, sessionShop(ctx), {
      productUid: readPathParameter(ctx, 'productUid'),
      question,
    });
  };
}

function readPathParameter(ctx: Context, name: 'catalogUid' | 'productUid'): string {
  const params = ctx['params'] as Record<string, string>;
  return params[name] ?? '';
}
