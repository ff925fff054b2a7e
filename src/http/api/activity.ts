import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { deliveryResults, listDeliveries } from '../../inbox/list-deliveries.ts';
import { listPollLog, loggedPasses, loggedResults } from '../../polls/list-poll-log.ts';
import { listPolls } from '../../polls/list-polls.ts';
import { readAfter } from '../read-after.ts';
import { sessionShop } from '../sign-in/session-token.ts';

const MAX_ORDER_LENGTH = 100;
const SOURCES = ['shopify', 'print'] as const;

export const activityFilter = z.object({
  order: z.string().max(MAX_ORDER_LENGTH).nullish(),
  source: z.enum(SOURCES).nullish(),
  result: z.enum(deliveryResults).nullish(),
});
export const pollLogFilter = z.object({
  pass: z.enum(loggedPasses).nullish(),
  result: z.enum(loggedResults).nullish(),
});
const ALLOWED: Record<string, string> = {
  order: `must be one text of at most ${MAX_ORDER_LENGTH} characters`,
  source: `must be one of ${SOURCES.join(', ')}`,
  result: `must be one of ${deliveryResults.join(', ')}`,
};
const ALLOWED_IN_LOG: Record<string, string> = {
  pass: `must be one of ${loggedPasses.join(', ')}`,
  result: `must be one of ${loggedResults.join(', ')}`,
};

/** Reads the filters of a list from the query. Throws InvalidInputError if a filter is not valid. */
function readFilter<Filter>(
  { query }: Pick<Context, 'query'>,
  filter: z.ZodObject & z.ZodType<Filter>,
  allowed: Record<string, string>,
): Filter {
  const asked = filter.safeParse(
    Object.fromEntries(Object.keys(filter.shape).map((name) => [name, query[name] || null])),
  );
  if (asked.success) return asked.data;
  const field = String(asked.error.issues[0]?.path[0]);
  throw new InvalidInputError(field, `${field}: ${allowed[field]}.`);
}

/**
 * `GET /api/activity?order=&source=&result=&after=`: a page of the webhooks and events that arrived for the shop in the last 30 days, latest
 * first, without their contents.
 */
export function getActivity(app: App): Middleware {
  return async (ctx) => {
    const { order = null, source = null, result = null } = readFilter(ctx, activityFilter, ALLOWED);
    const after = readAfter(ctx, 'id');
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

/**
 * `GET /api/activity/poll-log?pass=&result=&after=`: a page of the hours of the last 30 days in which a poll of the shop found changes or
 * failed, latest first.
 */
export function getPollLog(app: App): Middleware {
  return async (ctx) => {
    const { pass = null, result = null } = readFilter(ctx, pollLogFilter, ALLOWED_IN_LOG);
    const after = readAfter(ctx, 'id');
    ctx.body = await listPollLog(app, sessionShop(ctx), { pass, result, after });
  };
}
