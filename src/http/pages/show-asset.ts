import type { Middleware } from 'koa';
import { nothingHere } from '../error-response.ts';
import { firstPageAssets } from './first-page.ts';

/** `GET /assets/:file`: a file of the first page, from a fixed list of names. Throws NotFoundError. */
export const showAsset: Middleware = (ctx) => {
  const asset = firstPageAssets.get(String(ctx['params'].file));
  if (!asset) throw nothingHere();
  ctx.type = asset.type;
  ctx.body = asset.body;
};
