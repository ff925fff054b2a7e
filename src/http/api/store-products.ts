import type { Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { listVariants } from '../../products/store-products/list-variants.ts';
import { MAX_TITLES, readTitles } from '../../products/store-products/read-titles.ts';
import { listStoreProducts, storeProductFilters } from '../../products/store-products/list-store-products.ts';
import { readAfter } from '../read-after.ts';
import { readParameter } from '../read-parameter.ts';
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

/**
 * `GET /api/store-products/:storeProductId/variants?after=`: the variants of one of the shop's products at the print service, 50 per page.
 * Variants that are not connected come first.
 */
export function getStoreProductVariants(app: App): Middleware {
  return async (ctx) => {
    const { storeProductId = '' } = ctx['params'] as Record<string, string>;
    ctx.body = await listVariants(app, sessionShop(ctx), { storeProductId, after: readAfter(ctx, 'uid') });
  };
}

const ID = /^\d{1,20}$/;

/** `GET /api/variant-titles?ids=`: the titles of up to 100 variants of the store. IDs that the store does not have are omitted. */
export function getVariantTitles(app: App): Middleware {
  return async (ctx) => {
    const ids = readParameter(ctx, 'ids')?.split(',') ?? [];
    if (ids.length === 0 || ids.length > MAX_TITLES || !ids.every((id) => ID.test(id)))
      throw new InvalidInputError('ids', `ids: must be 1 to ${MAX_TITLES} IDs of variants, separated by commas.`);
    ctx.body = { variants: await readTitles(app, sessionShop(ctx), ids) };
  };
}
