import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { countWithinLimit, findPercentile95 } from '../../shops/callbacks/durations.ts';
import { readCallbacks, type CountedCalls } from '../../shops/callbacks/read-callbacks.ts';

/** Shopify's minimum for each meter, in percent (Built for Shopify, fulfillment services and carrier services). */
const TARGETS = {
  tracking: 80,
  requests: 95,
  cancellations: 99,
  callbacks: 99,
  fastRates: 95,
  answeredRates: 99.9,
} as const;

export type MeterName = keyof typeof TARGETS;

/** One of the metrics by which Shopify judges fulfillment apps, for one shop and the last 30 days. */
interface Meter {
  name: MeterName;
  /** The number of counted cases, and how many of them met Shopify's condition. */
  counted: number;
  passed: number;
  /** The share in percent, rounded down to one decimal place. Null if there are no cases. */
  percent: number | null;
  target: number;
  /** Whether the share reaches the target. Null if there are no cases. */
  isMet: boolean | null;
}

export interface Meters {
  meters: Meter[];
  /**
   * The time in milliseconds within which 95 % of the requests for rates were answered. Null if there were no requests, or if the time
   * exceeds 5 seconds.
   */
  ratesWithinMs: number | null;
  /** When the last webhook of the store and the last event of the print service arrived. Null if none arrived in the last 30 days. */
  receivedAt: { store: string | null; print: string | null };
}

const DAYS = 30;
/** A print order counts only if it was ordered at most this many days ago. The limit lets the database use an index. */
const MAX_DAYS_TO_SHIP = 60;

/** Reads the meters of a shop. `docs/merchants/pages.md` explains which cases each meter counts. */
export async function readMeters(app: App, shop: Pick<Shop, 'id'>): Promise<Meters> {
  const now = app.clock.now();
  const [tracking]: Share[] = await app.db.query(TRACKING, [shop.id, now, DAYS, MAX_DAYS_TO_SHIP]);
  const answers: (Share & { about: 'requests' | 'cancellations' })[] = await app.db.query(ANSWERS, [
    shop.id,
    now,
    DAYS,
  ]);
  const calls = await readCallbacks(app, shop, new Date(now.getTime() - DAYS * 86_400_000));
  const { webhook, callback, event, rates } = calls;
  const within = findPercentile95(rates.durations);
  const findAnswers = (about: 'requests' | 'cancellations'): Share | undefined =>
    answers.find((row) => row.about === about);
  return {
    meters: [
      toMeter('tracking', tracking),
      toMeter('requests', findAnswers('requests')),
      toMeter('cancellations', findAnswers('cancellations')),
      toMeter('callbacks', toShare(webhook, callback)),
      toMeter('fastRates', { ...toShare(rates), passed: countWithinLimit(rates.durations) }),
      toMeter('answeredRates', toShare(rates)),
    ],
    ratesWithinMs: within === Infinity ? null : within,
    receivedAt: { store: webhook.lastAt?.toISOString() ?? null, print: event.lastAt?.toISOString() ?? null },
  };
}

interface Share {
  counted: number;
  passed: number;
}

function toShare(...calls: CountedCalls[]): Share {
  const passed = calls.reduce((sum, { answered }) => sum + answered, 0);
  return { passed, counted: calls.reduce((sum, { failed }) => sum + failed, passed) };
}

function toMeter(name: MeterName, { counted, passed }: Share = { counted: 0, passed: 0 }): Meter {
  const target = TARGETS[name];
  if (counted === 0) return { name, counted, passed, percent: null, target, isMet: null };
  // Compares whole thousandths without rounding errors, so that a share exactly at the target meets it.
  const isMet = passed * 1000 >= Math.round(target * 10) * counted;
  return { name, counted, passed, percent: Math.floor((passed * 1000) / counted) / 10, target, isMet };
}

/**
 * Tracking codes that Platen has added to one of its own fulfillments, or has failed to add for more than an hour. A code that the service
 * has replaced, or that the store no longer needed, does not count.
 */
const TRACKING = `
  select count(*)::int as counted, count(*) filter (where k.pushed_at <= k.seen_at + interval '1 hour')::int as passed
  from print_orders p join packages k on k.print_order_id = p.id
  where p.shop_id = $1 and p.confirmed_at >= $2::timestamptz - make_interval(days => $4)
    and k.seen_at >= $2::timestamptz - make_interval(days => $3) and k.tracking_code <> '' and k.replaced_at is null
    and case when k.pushed_at is null then k.seen_at < $2::timestamptz - interval '1 hour'
      else exists (select from fulfillments f where f.print_order_id = p.id and f.state = 'done' and k.tracking_code = any(f.tracking_codes)) end`;

/**
 * Counts requests by their timeline entries. A response belongs to the entry that recorded the waiting request, if such an entry follows
 * the previous response. Without such an entry, Platen responded as soon as it saw the request. Entries from before the period are read
 * because a response in the period may belong to them.
 */
const ANSWERS = `
  with entries as (
    select id, at, data ->> 'shopifyFulfillmentOrderId' as about_id, kind in ('request_waits', 'cancellation_waits') as waits,
      case when kind in ('accepted', 'rejected', 'request_waits') then 'requests' else 'cancellations' end as about
    from timeline_entries
    where shop_id = $1 and at >= $2::timestamptz - make_interval(days => 2 * $3)
      and kind in ('accepted', 'rejected', 'request_waits', 'cancellation_accepted', 'cancellation_rejected', 'cancellation_waits')),
  steps as (
    select about, waits, at, lag(case when waits then at end) over request as asked_at, lead(at) over request is null as is_last
    from entries window request as (partition by about, about_id order by id))
  select about, count(*)::int as counted, count(*) filter (where not waits and at <= coalesce(asked_at, at) + interval '24 hours')::int as passed
  from steps
  where case when waits then is_last and at < $2::timestamptz - interval '24 hours' else true end
    and at >= $2::timestamptz - make_interval(days => $3)
  group by about`;
