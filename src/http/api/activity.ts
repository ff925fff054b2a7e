import type { Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { deliveryResults, listDeliveries } from '../../inbox/list-deliveries.ts';
import { listPolls } from '../../polls/list-polls.ts';
import { readAfter } from '../read-after.ts';
import { sessionShop } from '../sign-in/session-token.ts';

const LONGEST_ORDER = 100;
const SOURCES = ['shopify', 'print'] as const;

/** PostgreSQL accepts no NUL in a text. */
const hasNoNul = (text: string): boolean => !text.includes('\0');
export const activityFilter = z.object({
  order: z.string().max(LONGEST_ORDER).refine(hasNoNul).nullish(),
  source: z.enum(SOURCES).nullish(),
  result: z.enum(deliveryResults).nullish(),
});
const FILTERS = ['order', 'source', 'result'] as const;
const ALLOWED: Record<string, string> = {
  order: `must be one text of at most ${LONGEST_ORDER} characters, without NUL`,
  source: `must be one of ${SOURCES.join(', ')}`,
  result: `must be one of ${deliveryResults.join(', ')}`,
};

/**
 * `GET /api/activity?order=&source=&result=&after=`: a page of the webhooks and events that arrived for the shop in the last 30 days, latest
 * first, without their contents.
 */
export function getActivity(app: App): Middleware {
  return async (ctx) => {
    const asked = activityFilter.safeParse(Object.fromEntries(FILTERS.map((name) => [name, ctx.query[name] || null])));
    if (!asked.success) {
      const field = String(asked.error.issues[0]?.path[0]);
      throw new InvalidInputError(field, `${field}: ${ALLOWED[field]}.`);
    }
    const after = readAfter(ctx, 'id');
    const { order = null, source = null, result = null } = asked.data;
    const filter = { order: order?.trim() === '' ? null : order, source, result };
    ctx.body = await listDeliveries(app, sessionShop(ctx), { ...filter, after });
  };
}

/** `GET /api/activity/polls`: the last run of each poll that covers the shop. */
export function getPolls(app: App): Middleware {
  return async (ctx) => {
    ctx.body = { polls: await listPolls(app, sessionShop(ctx)) };
  };
}
