import type { Context } from 'koa';
import { Refusal } from '../refusal.ts';

const KEY = /^sandbox-key(-[\w.-]{1,64})?$/;

/** The account of a request: its key, in the header X-API-KEY (docs/rules/print-interface.md#authentication). Throws a `Refusal` (401). */
export function authenticate(ctx: Context): string {
  const key = ctx.get('x-api-key');
  if (!KEY.test(key)) throw new Refusal(401, 'unauthorized', 'No valid API key.');
  return key;
}
