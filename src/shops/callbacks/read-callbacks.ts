import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { CallbackKind } from './count-callbacks.ts';

/** The counts for one kind of call. */
export interface CountedCalls {
  answered: number;
  failed: number;
  /** The number of requests for each duration (`durations.ts`). Empty except for requests for rates. */
  durations: number[];
  /** When the last call was answered, or null. */
  lastAt: Date | null;
}

const NONE: CountedCalls = { answered: 0, failed: 0, durations: [], lastAt: null };

/** Reads the counts of a shop's calls since a given time, from all processes. Calls in the last minute may be missing. */
export async function readCallbacks(
  app: Pick<App, 'db'>,
  { id }: Pick<Shop, 'id'>,
  since: Date,
): Promise<Record<CallbackKind, CountedCalls>> {
  const rows: ({ kind: CallbackKind } & CountedCalls)[] = await app.db.query(READ_COUNTS, [id, since]);
  const of = (kind: CallbackKind): CountedCalls => {
    const { answered, failed, durations, lastAt } = rows.find((row) => row.kind === kind) ?? NONE;
    return { answered, failed, durations, lastAt };
  };
  return { webhook: of('webhook'), callback: of('callback'), event: of('event'), rates: of('rates') };
}

const READ_COUNTS = `
  select h.kind, sum(h.answered)::int as answered, sum(h.failed)::int as failed, max(h.last_answered_at) as "lastAt",
    array(select sum(u.counted)::int from callback_hours d, unnest(d.durations) with ordinality as u(counted, place)
      where d.shop_id = $1 and d.kind = h.kind and d.hour >= $2 group by u.place order by u.place) as durations
  from callback_hours h where h.shop_id = $1 and h.hour >= $2 group by h.kind`;
