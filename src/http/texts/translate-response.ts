import type { Middleware } from 'koa';
import { translateToGerman } from './german.ts';
import { translateInSlices } from './translate-texts.ts';

const DEFAULT = 'en';
const GERMAN = 'de';

/** Translates the texts in the API's responses, including errors, if the request's Accept-Language prefers German. */
export const translateResponse: Middleware = async (ctx, next) => {
  await next();
  const { _matchedRoute: path, body } = ctx as { _matchedRoute?: unknown; body: unknown };
  if (!ctx.path.startsWith('/api/')) return;
  ctx.vary('Accept-Language');
  if (ctx.acceptsLanguages(DEFAULT, GERMAN) !== GERMAN || typeof body !== 'object' || body === null) return;
  const answer = { route: `${ctx.method} ${String(path)}`, status: ctx.status, body };
  ctx.body = await translateInSlices(answer, (text) => translateToGerman(text).text);
  ctx.set('Content-Language', GERMAN);
};
