import type { Middleware } from 'koa';
import { Refusal } from './refusal.ts';

const OWN_SITES = new Set(['', 'same-origin', 'none']);
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Rejects browser requests from pages of other origins. Otherwise, any page that a developer visits could place orders or reset the books.
 * Commands and tests send no origin. Only loopback names are accepted, so a foreign hostname that resolves to this machine is also
 * rejected.
 */
export const refuseOtherOrigins: Middleware = async (ctx, next) => {
  const origin = ctx.get('Origin');
  const isOwn = origin === '' || (origin === `http://${ctx.host}` && LOOPBACK.has(new URL(origin).hostname));
  if (isOwn && OWN_SITES.has(ctx.get('Sec-Fetch-Site'))) return next();
  throw new Refusal(403, 'cross_origin', 'Pages of other origins cannot use the control endpoints.');
};
