import type { App } from '../app.ts';
import type { Delivery } from '../database/entities/deliveries.ts';

/** The totals of a pass over all shops since the database was created. */
interface PollPass {
  pass: string;
  runs: number;
  found: number;
  mended: number;
  failures: number;
  /** What the last run found; for a pass that goes shop by shop, the sum over the shops. */
  lastFound: number;
  /** Seconds since it last succeeded, in any shop; null if it never has. */
  lastSuccess: number | null;
}

/** What the polls and the table of transitions report to an operator. */
export interface PollReadings {
  passes: PollPass[];
  /** Moves of print orders that the table of transitions refused, each counted once. */
  refusedMoves: number;
  /** Shops from which nothing arrives although polls find changes. */
  silentShops: Record<Delivery['source'], number>;
}

/** Read from the database, because worker processes have no endpoint to report it. */
export async function readPollPasses(app: App): Promise<PollReadings> {
  const passes: PollPass[] = await app.db.query(
    `select pass, sum(runs)::float8 as runs, sum(found)::float8 as found, sum(mended)::float8 as mended,
       sum(failures)::float8 as failures, sum(last_found)::float8 as "lastFound",
       extract(epoch from $1::timestamptz - max(last_succeeded_at))::float8 as "lastSuccess"
     from poll_passes group by pass order by pass`,
    [app.now()],
  );
  const [counted]: { refused: number; shopify: number; print: number }[] = await app.db.query(
    `select (select count(*)::int from timeline_entries where kind = 'state_refused') as refused,
       count(*) filter (where n.source = 'shopify')::int as shopify, count(*) filter (where n.source = 'print')::int as print
     from poll_news n join shops s on s.id = n.shop_id where n.silent_since is not null and s.state = 'installed'`,
  );
  const { refused: refusedMoves = 0, shopify = 0, print = 0 } = counted ?? {};
  return { passes, refusedMoves, silentShops: { shopify, print } };
}
