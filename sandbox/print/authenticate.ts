import type { Context } from 'koa';
import { Refusal } from '../refusal.ts';

const KEY = /^sandbox-key(-[\w.-]{1,64})?$/;

/**
 * Returns the account of a request: the key in its X-API-KEY header (docs/rules/print-interface.md#authentication). Throws a `Refusal`
 * (401).
 */
export function authenticate(ctx: Context): string {
  const key = ctx.get('x-api-key');
  if (!KEY.test(key)) throw new Refusal(401, 'unauthorized', 'No valid API key.');
  return key;
}
