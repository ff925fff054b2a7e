import type { Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { listStoreProducts, storeProductFilters } from '../../products/store-products/list-store-products.ts';
import { sessionShop } from '../session-token.ts';

const DIGITS = /^[1-9]\d{0,17}$/;
const statusSchema = z.enum(storeProductFilters).optional();

/** `GET /api/store-products?status=&after=`: the shop's products at the print service, the newest first, 50 a page. */
export function getStoreProducts(app: App): Middleware {
  return async (ctx) => {
    const { status, after = null } = ctx.query;
    const filter = statusSchema.safeParse(status);
    if (!filter.success)
      throw new InvalidInputError('status', `status: must be one of ${storeProductFilters.join(', ')}.`);
    if (after !== null && (typeof after !== 'string' || !DIGITS.test(after)))
      throw new InvalidInputError('after', 'after: must be what "next" of the page before says.');
    ctx.body = await listStoreProducts(app, sessionShop(ctx), { filter: filter.data ?? null, after });
  };
}
