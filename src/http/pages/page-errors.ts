import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { setRetryAfter, toRefusal } from '../error-response.ts';
import { respondWithPlainPage } from './plain-page.ts';
import type { PlainPage } from './plain-page.ts';
import { describeStoreError } from '../describe-store-error.ts';

const RETRY_SECONDS = '10';

type ErrorPage = Pick<PlainPage, 'status' | 'title' | 'sentences'>;

/** Turns any error into a page with a message, so that a merchant never sees an empty page. For routes that respond with pages. */
export function respondWithErrorPage(app: App): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { requestId, logFailure } = ctx.state as { requestId: string; logFailure: (error: unknown) => void };
      const page = toErrorPage(error, requestId);
      logFailure(error);
      if (page.status === 503) ctx.set('Retry-After', RETRY_SECONDS);
      setRetryAfter(ctx, error);
      const link = page.status >= 500 ? { link: { href: '', text: 'Try again' } } : {};
      respondWithPlainPage(ctx, app, { ...page, ...link, framedBy: getFramingShop(ctx) });
    }
  };
}

/** Records the shop of the verified session token. That shop's admin may frame any page that responds to this request. */
export function setFramingShop(ctx: Context, shop: string): void {
  ctx.state['framedBy'] = shop;
}

function getFramingShop(ctx: Context): string | null {
  const { framedBy } = ctx.state as { framedBy?: string };
  return framedBy ?? null;
}

function toErrorPage(error: unknown, requestId: string): ErrorPage {
  const refusal = toRefusal(error);
  if (refusal)
    return {
      status: refusal.status,
      title: 'Platen could not complete this request',
      sentences: [refusal.error.message],
    };
  if (error instanceof ShopifyError) return { status: 503, ...describeStoreError(error) };
  const sentences = [
    'Nothing was lost. Try again. If the problem persists, send this ID to Platen’s operator:',
    requestId,
  ];
  return { status: 500, title: 'Something went wrong', sentences };
}
