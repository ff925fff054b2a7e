import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { requestNewProduct } from '../../products/new-products/request-new-product.ts';
import { parseProductRequest } from '../../products/new-products/fill-template.ts';
import { listNewProducts, toShownNewProduct } from '../../products/new-products/list-new-products.ts';
import { readRawBody } from '../raw-body.ts';
import { sessionShop } from '../sign-in/session-token.ts';

/** Large, because the body may contain file URLs for each variant. */
const BODY_LIMIT = 1024 * 1024;
/** Enough for a file and a text for each of a template's 2,048 variants. */
const MAX_VALUES = 50_000;

/** `GET /api/store-products/new`: the latest requested products, newest first. */
export function getNewProducts(app: App): Middleware {
  return async (ctx) => {
    ctx.body = { newProducts: await listNewProducts(app, sessionShop(ctx)) };
  };
}

/**
 * `POST /api/store-products`: starts creating a product from a template, and responds with 202 and the product's state. A repeated request
 * returns the product that is already being created.
 */
export function postStoreProduct(app: App): Middleware {
  return async (ctx) => {
    const asked = await parseProductRequest(parseJsonObject(await readRawBody(ctx, BODY_LIMIT), MAX_VALUES));
    ctx.body = toShownNewProduct(await requestNewProduct(app, sessionShop(ctx), { asked, by: 'merchant' }));
    ctx.status = 202;
  };
}
