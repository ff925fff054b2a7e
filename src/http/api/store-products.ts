import type { Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { listStoreProducts, storeProductFilters } from '../../products/store-products/list-store-products.ts';
import { readAfter } from '../read-after.ts';
import { sessionShop } from '../sign-in/session-token.ts';

export const statusSchema = z.enum(storeProductFilters).optional();

/** `GET /api/store-products?status=&after=`: the shop's products at the print service, newest first, 50 per page. */
export function getStoreProducts(app: App): Middleware {
  return async (ctx) => {
    const filter = statusSchema.safeParse(ctx.query['status']);
    if (!filter.success)
      throw new InvalidInputError('status', `status: must be one of ${storeProductFilters.join(', ')}.`);
    ctx.body = await listStoreProducts(app, sessionShop(ctx), {
      filter: filter.data ?? null,
      after: readAfter(ctx, 'id'),
    });
  };
}
