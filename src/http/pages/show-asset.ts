import type { Middleware } from 'koa';
import { unknownAddressError } from '../error-response.ts';
import { loadAdminBundle } from './admin/bundle.ts';
import { pageAssets } from './page-assets.ts';

/** A file whose name contains a hash of its content never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** `GET /assets/:file`: a file of the pages, from a fixed list of names. Throws NotFoundError. */
export const showAsset: Middleware = async (ctx) => {
  const name = String(ctx['params'].file);
  const own = pageAssets.get(name);
  // Built files exist only after `npm run build:admin`.
  const built = own ? null : await loadAdminBundle().catch(() => null);
  const asset = own ?? built?.files.get(name);
  if (!asset) throw unknownAddressError();
  if (!own) ctx.set('Cache-Control', IMMUTABLE);
  ctx.type = asset.type;
  ctx.body = asset.body;
};
