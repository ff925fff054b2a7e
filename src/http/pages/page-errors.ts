import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { setRetryAfter, toRefusal } from '../error-response.ts';
import { answerPlainPage } from './plain-page.ts';
import type { PlainPage } from './plain-page.ts';
import { tellStoreError } from '../tell-store-error.ts';

const RETRY_SECONDS = '10';

type Told = Pick<PlainPage, 'status' | 'title' | 'sentences'>;

/** For the routes that answer with pages: turns any throw into a page of plain words. A merchant never sees an empty one. */
export function answerErrorsAsPages(app: App): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { requestId, tellFailure } = ctx.state as { requestId: string; tellFailure: (error: unknown) => void };
      const told = tell(error, requestId);
      tellFailure(error);
      if (told.status === 503) ctx.set('Retry-After', RETRY_SECONDS);
      setRetryAfter(ctx, error);
      const link = told.status >= 500 ? { link: { href: '', text: 'Try again' } } : {};
      answerPlainPage(ctx, app, { ...told, ...link, framedBy: framerOf(ctx) });
    }
  };
}

/** Keeps which shop's admin may frame whatever page this request is answered with: it is known from its verified session token. */
export function setFramer(ctx: Context, shop: string): void {
  ctx.state['framedBy'] = shop;
}

function framerOf(ctx: Context): string | null {
  const { framedBy } = ctx.state as { framedBy?: string };
  return framedBy ?? null;
}

function tell(error: unknown, requestId: string): Told {
  const refusal = toRefusal(error);
  if (refusal) return { status: refusal.status, title: 'That did not work', sentences: [refusal.error.message] };
  if (error instanceof ShopifyError) return { status: 503, ...tellStoreError(error) };
  const sentences = ['Nothing was lost. Try again; if it happens again, tell who runs Platen this number:', requestId];
  return { status: 500, title: 'Something went wrong', sentences };
}
