import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';

/** The polls of a single shop. Polls over all shops are not logged, because their results concern other shops too. */
export const loggedPasses = [
  'catch_up_storefront_orders',
  'catch_up_fulfillment_requests',
  'catch_up_store_products',
  'catch_up_stock',
  'catch_up_link_metafields',
] as const;

export const loggedResults = ['found', 'failed'] as const;

/** One poll's runs in one hour, counting only runs that found changes or failed. */
export interface LoggedPoll {
  id: string;
  pass: (typeof loggedPasses)[number];
  /** ISO 8601. */
  firstAt: string;
  lastAt: string;
  runs: number;
  /** The duration of the longest run. */
  milliseconds: number;
  found: number;
  /** The number of changes that no webhook or event had reported. */
  fixed: number;
  failures: number;
  /** The error code of the last failed run. Null if none failed. */
  error: string | null;
}

/** The runs that a page lists. A filter that is null does not apply. */
export interface PollLogFilter {
  pass: LoggedPoll['pass'] | null;
  result: (typeof loggedResults)[number] | null;
}

const PAGE_SIZE = 50;

/** Lists a page of a shop's logged polls, latest first. `after` is the previous page's `next`. */
export async function listPollLog(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  { pass, result, after }: PollLogFilter & { after: string | null },
): Promise<{ polls: LoggedPoll[]; next: string | null }> {
  const rows: Row[] = await app.db.query(
    `select id, pass, first_started_at as "firstAt", last_ended_at as "lastAt", runs, longest_ms as milliseconds, found, fixed,
       failures, last_error as error
     from poll_log
     where shop_id = $1 and pass = any($2) and ($3::text is null or case $3 when 'failed' then failures > 0 else found > 0 end)
       and ($4::bigint is null or id < $4)
     order by id desc limit $5`,
    [shopId, pass === null ? loggedPasses : [pass], result, after, PAGE_SIZE + 1],
  );
  const polls = rows.slice(0, PAGE_SIZE).map(({ firstAt, lastAt, ...row }) => ({
    ...row,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  }));
  return { polls, next: rows.length > PAGE_SIZE ? (polls.at(-1)?.id ?? null) : null };
}

interface Row extends Omit<LoggedPoll, 'firstAt' | 'lastAt'> {
  firstAt: Date;
  lastAt: Date;
}
