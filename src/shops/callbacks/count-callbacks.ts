import type { App } from '../../app.ts';
import { isShopDomain } from '../../shopify/shop-domain.ts';
import { DURATION_LIMITS, toBucketIndex } from './durations.ts';

/**
 * The kinds of calls that Platen receives: the store's webhooks and fulfillment callbacks, the print service's events, and requests for
 * rates at checkout.
 */
export type CallbackKind = 'webhook' | 'callback' | 'event' | 'rates';

/** A received call, and whether Platen answered it. */
interface Call {
  kind: CallbackKind;
  /** The shop's ID or, for a delivery from the store, its domain. */
  shop: number | string;
  isAnswered: boolean;
  /** How long a request for rates took. */
  milliseconds?: number;
}

/** Counts calls by shop, kind and hour. The counts stay in this process's memory until they are flushed. */
export interface CallbackCounts {
  note(call: Call): void;
  /** Runs the work of a call and counts whether the work succeeds. Rethrows the work's errors. */
  during<T>(call: Pick<Call, 'kind' | 'shop'>, work: () => Promise<T>): Promise<T>;
  /** Adds the counts to the database. If that fails, the next flush adds them. */
  flush(): Promise<void>;
  /** Stops the regular flushes and flushes once more. */
  close(): Promise<void>;
}

const FLUSH_MS = 60_000;
const HOUR_MS = 3_600_000;
/**
 * Limits the memory that the counts use during a database outage. Once this number is reached, calls for further shops and hours are not
 * counted.
 */
const MAX_ROWS = 20_000;

/** The counts of a shop's calls of one kind in one hour. */
interface Row {
  kind: CallbackKind;
  shop_id: number | null;
  domain: string | null;
  hour: Date;
  answered: number;
  failed: number;
  durations: number[];
  last_answered_at: Date | null;
}

/** Starts counting calls and adding the counts to the database every minute, in one statement for all shops. */
export function countCallbacks(
  app: Pick<App, 'clock' | 'db' | 'log'>,
  { flushMs = FLUSH_MS }: { flushMs?: number } = {},
): CallbackCounts {
  let rows = new Map<string, Row>();
  let isFailing = false;

  function findOrCreateRow(kind: CallbackKind, shop: number | string, now: Date): Row | null {
    const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
    const key = `${kind} ${shop} ${hour.getTime()}`;
    const known = rows.get(key);
    if (known) return known;
    // The store's domain header is not signed, and only a valid domain has a bounded length.
    if (rows.size >= MAX_ROWS || (typeof shop === 'string' && !isShopDomain(shop))) return null;
    const [shopId, domain] = typeof shop === 'string' ? [null, shop] : [shop, null];
    const none = { answered: 0, failed: 0, durations: [], last_answered_at: null };
    const row = { kind, shop_id: shopId, domain, hour, ...none };
    rows.set(key, row);
    return row;
  }

  function note({ kind, shop, isAnswered, milliseconds }: Call): void {
    const now = app.clock.now();
    const row = findOrCreateRow(kind, shop, now);
    if (!row) return;
    row[isAnswered ? 'answered' : 'failed'] += 1;
    if (isAnswered) row.last_answered_at = now;
    if (milliseconds === undefined) return;
    if (row.durations.length === 0) row.durations = Array.from({ length: DURATION_LIMITS.length + 1 }, () => 0);
    const place = toBucketIndex(milliseconds);
    row.durations[place] = (row.durations[place] ?? 0) + 1;
  }

  async function flush(): Promise<void> {
    if (rows.size === 0) return;
    const counted = rows;
    rows = new Map();
    try {
      await app.db.query(ADD_COUNTS, [JSON.stringify([...counted.values()])]);
      isFailing = false;
    } catch (error) {
      // Calls that arrived during the flush are added to the same rows.
      for (const [key, row] of rows) counted.set(key, addRows(counted.get(key), row));
      rows = counted;
      if (!isFailing) app.log.warn({ error }, 'the counts of calls cannot be stored until the database responds');
      isFailing = true;
    }
  }

  const cancelFlush = app.clock.every(flushMs, () => void flush());
  return {
    note,
    async during(call, work) {
      try {
        const result = await work();
        note({ ...call, isAnswered: true });
        return result;
      } catch (error) {
        note({ ...call, isAnswered: false });
        throw error;
      }
    },
    flush,
    async close() {
      cancelFlush();
      await flush();
    },
  };
}

function addRows(earlier: Row | undefined, later: Row): Row {
  if (!earlier) return later;
  return {
    ...later,
    answered: earlier.answered + later.answered,
    failed: earlier.failed + later.failed,
    durations: Array.from(
      { length: Math.max(earlier.durations.length, later.durations.length) },
      (_, place) => (earlier.durations[place] ?? 0) + (later.durations[place] ?? 0),
    ),
    last_answered_at: later.last_answered_at ?? earlier.last_answered_at,
  };
}

/** Adds this process's counts to those of the other processes. The order of the rows prevents deadlocks between processes. */
const ADD_COUNTS = `
  insert into callback_hours as h (shop_id, kind, hour, answered, failed, durations, last_answered_at)
  select s.id, r.kind, r.hour, r.answered, r.failed, r.durations, r.last_answered_at
  from jsonb_to_recordset($1::jsonb) as r(kind text, shop_id integer, domain text, hour timestamptz, answered integer, failed integer,
    durations integer[], last_answered_at timestamptz)
  join shops s on s.id = coalesce(r.shop_id, (select id from shops where domain = r.domain))
  order by s.id, r.kind, r.hour
  on conflict (shop_id, kind, hour) do update set answered = h.answered + excluded.answered, failed = h.failed + excluded.failed,
    durations = array(select coalesce(mine, 0) + coalesce(added, 0) from unnest(h.durations, excluded.durations)
      with ordinality as u(mine, added, place) order by place),
    last_answered_at = greatest(h.last_answered_at, excluded.last_answered_at)`;
