import type { App } from '../app.ts';
import type { Delivery } from '../database/entities/deliveries.ts';
import { taskNames } from '../jobs/registry.ts';
import { isActiveSql } from '../database/is-active.ts';

/** The totals of one pass, over all shops, since the database was created. */
interface PollPass {
  pass: string;
  runs: number;
  found: number;
  fixed: number;
  failures: number;
  /** The number of items that the last run found, summed over all shops if the pass runs per shop. */
  lastFound: number;
  /** Seconds since the pass last succeeded in any active shop, or null if it never has. */
  lastSuccess: number | null;
}

/** Data for an operator about the polls and the state transitions of print orders. */
export interface PollReadings {
  passes: PollPass[];
  /** Number of print order transitions that the transition table rejected, each counted once. */
  rejectedTransitions: number;
  /** Number of shops from which nothing arrives although polls find changes there. */
  silentShops: Record<Delivery['source'], number>;
}

/** Reads the polls' totals from the database, because the worker processes that run the polls have no endpoint at which to report them. */
export async function readPollPasses(app: App): Promise<PollReadings> {
  const passes: PollPass[] = await app.db.query(
    `select p.pass, sum(p.runs)::float8 as runs, sum(p.found)::float8 as found, sum(p.mended)::float8 as fixed,
       sum(p.failures)::float8 as failures, sum(p.last_found)::float8 as "lastFound",
       extract(epoch from $1::timestamptz - max(p.last_succeeded_at) filter (where p.shop_id is null or ${isActiveSql()}))::float8 as "lastSuccess"
     from poll_passes p left join shops s on s.id = p.shop_id where p.pass = any($2) group by p.pass order by p.pass`,
    // Passes that this version does not know, and passes of shops that are no longer polled, would look overdue.
    [app.clock.now(), taskNames],
  );
  const [counted]: { refused: number; shopify: number; print: number }[] = await app.db.query(
    `select (select count(*)::int from timeline_entries where kind = 'state_refused') as refused,
       count(*) filter (where n.source = 'shopify')::int as shopify, count(*) filter (where n.source = 'print')::int as print
     from poll_news n join shops s on s.id = n.shop_id where n.silent_since is not null and ${isActiveSql()}`,
  );
  const { refused: rejectedTransitions = 0, shopify = 0, print = 0 } = counted ?? {};
  return { passes, rejectedTransitions, silentShops: { shopify, print } };
}
