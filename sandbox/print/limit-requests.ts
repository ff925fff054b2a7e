import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { jsonOf } from '../json-body.ts';
import { parseOrRefuse } from '../refusal.ts';
import { toErrorBody } from './error-body.ts';
import type { StandIn } from './stand-in.ts';

const limitSchema = z
  .strictObject({ requests: z.int().min(0), perSeconds: z.number().positive().max(86_400) })
  .nullable();
type Limit = z.output<typeof limitSchema>;

const TABLE = 'limits';
const ID = 'requests';

/** Adds `POST /_control/limits`, which limits the number of requests per key and period. `null` removes the limit. */
export function addLimitEndpoint(router: Router, { books }: StandIn): void {
  router.post('/limits', (ctx) => {
    books.put(TABLE, ID, parseOrRefuse(limitSchema, jsonOf(ctx)));
    ctx.body = { limit: books.get<Limit>(TABLE, ID) };
  });
}

/** Removes the limit. */
export function clearLimit({ books }: StandIn): void {
  books.clear(TABLE);
}

/**
 * Creates middleware that responds with 429 and Retry-After (docs/rules/print-interface.md#errors) to a key's requests beyond the limit, in
 * the format of the called interface. A key's period starts with its first request. After the period has ended, the key's next request
 * starts a new period. Skips `/_control`.
 */
export function limitRequests({ clock, books }: StandIn): Middleware {
  const counts = new Map<string, { requests: number; endsAt: number }>();
  let counted: Limit | undefined;
  return async (ctx, next) => {
    const limit = books.get<Limit>(TABLE, ID);
    if (limit !== counted) counts.clear();
    counted = limit;
    if (!limit || ctx.path.startsWith('/_control')) return next();
    const now = clock.ticks();
    for (const [key, { endsAt }] of counts) if (endsAt <= now) counts.delete(key);
    const key = ctx.get('x-api-key');
    const count = counts.get(key) ?? { requests: 0, endsAt: now + limit.perSeconds * 1000 };
    counts.set(key, { ...count, requests: count.requests + 1 });
    if (count.requests < limit.requests) return next();
    refuseRequest(ctx, Math.ceil(Math.round(count.endsAt - now) / 1000));
  };
}

function refuseRequest(ctx: Context, retryAfterSeconds: number): void {
  ctx.status = 429;
  ctx.set('retry-after', String(retryAfterSeconds));
  ctx.body = toErrorBody(ctx.path, 'too_many_requests', 'Too many requests.');
}
