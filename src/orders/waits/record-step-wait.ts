import { In, IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, TimelineEntries } from '../../database/entities/orders.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import type { Step, StepWait } from '../../database/entities/step-waits.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { writeTimeline } from '../record/write-timeline.ts';

/** A step opens a hold once it has been failing for this long and has failed this many times. */
const PATIENCE = { minutes: 15, tries: 5 };
/** The longest pause between tries, no matter how long the step has been failing. */
const MAX_SECONDS = 300;

/** The order, or one of its print orders, whose step is waiting. */
export type WaitingOrder = Pick<PrintOrder, 'shopId' | 'storefrontOrderId'> & {
  printOrder: (Pick<PrintOrder, 'id' | 'reference'> & { shopifyFulfillmentOrderId: string | null }) | null;
};

export interface Wait {
  step: Step;
  /** A sentence that explains to the merchant what failed. */
  why: string;
  /** The message from the store or the print service. It is shown with the order and its hold, but not in the timeline. */
  words?: string | null;
  /** The name of the interface's field that causes the failure, shown with the hold. */
  field?: string | null;
  /** The hold to open if the step keeps failing. */
  code?: HoldCode;
  /** Seconds until the next try, or a function of the number of tries. By default, pauses start short and grow. */
  seconds?: number | ((tries: number) => number);
  /** Whether the pause is fixed, because the print service or the submit protocol determines it. A fixed pause does not grow. */
  isExact?: boolean;
  /** Whether the timeline shows the failure immediately, even if it does not last. */
  isNews?: boolean;
  /**
   * How long the step must have been failing, and how many times it must have failed, before a hold opens. Null if no hold opens, because
   * the account has a notice of its own.
   */
  patience?: { minutes: number; tries: number } | null;
}

/** A recorded wait with its order. */
interface RecordedWait extends Pick<StepWait, 'id' | 'since' | 'tries' | 'holdId'> {
  order: WaitingOrder;
  ageSeconds: number;
  nextAt: Date;
}

/**
 * Records that a step failed, and returns when to retry it. Called for every failing step, so that each order shows why it is waiting and
 * until when. The pauses between retries grow. A step that keeps failing opens a hold, which changes neither the state nor the retries.
 * `endStepWaits` resolves the hold. May run in the caller's transaction.
 */
export async function recordStepWait(app: App, manager: EntityManager, order: WaitingOrder, wait: Wait): Promise<Date> {
  const [noted] = await recordWaits(app, manager, [order], wait);
  if (!noted) throw new Error('a wait was not recorded');
  return noted.nextAt;
}

/** Records the same failure for many orders. Uses as many SQL statements as for a single order. */
export async function recordStepWaits(
  app: App,
  manager: EntityManager,
  orders: readonly WaitingOrder[],
  wait: Wait,
): Promise<void> {
  if (orders.length > 0) await recordWaits(app, manager, orders, wait);
}

async function recordWaits(
  app: App,
  manager: EntityManager,
  orders: readonly WaitingOrder[],
  wait: Wait,
): Promise<RecordedWait[]> {
  const now = app.clock.now();
  const { isNews = false, patience = PATIENCE } = wait;
  const noted = await saveWaits(manager, orders, wait, now);
  await manager.query(
    `update step_waits w set next_at = n.next_at from unnest($1::bigint[], $2::timestamptz[]) n(id, next_at) where w.id = n.id`,
    [noted.map(({ id }) => id), noted.map(({ nextAt }) => nextAt)],
  );
  // A brief failure needs no timeline entry.
  const toReport = noted.filter(({ tries }) => tries === (isNews ? 1 : PATIENCE.tries));
  if (toReport.length > 0) await writeWaitsToTimeline(manager, toReport, wait.why);
  const lasting = noted.filter(
    ({ ageSeconds, tries }) => patience !== null && ageSeconds >= patience.minutes * 60 && tries >= patience.tries,
  );
  // One transaction opens the hold and stores its ID in the wait. Without the ID, the hold would never be resolved.
  // Outside a transaction, a deadlock with `endStepWaits` is retried.
  const source = manager === app.db.manager ? app.db : manager;
  if (lasting.length > 0) await source.transaction((inner) => holdWaits(inner, lasting, wait, now));
  return noted;
}

async function saveWaits(
  manager: EntityManager,
  orders: readonly WaitingOrder[],
  wait: Wait,
  now: Date,
): Promise<RecordedWait[]> {
  const { step, why, words = null, code = 'step_failing' } = wait;
  const rows: (Pick<StepWait, 'id' | 'since' | 'tries' | 'holdId'> & { place: number })[] = await manager.query(
    `with kept as (
       insert into step_waits (shop_id, storefront_order_id, print_order_id, step, code, why, words, since, last_at, next_at)
       select o.shop_id, o.storefront_order_id, o.print_order_id, $4, $5, $6, $7, $8, $8, $8
       from unnest($1::int[], $2::bigint[], $3::bigint[]) o(shop_id, storefront_order_id, print_order_id)
       on conflict (storefront_order_id, print_order_id, step) do update
         set code = excluded.code, why = excluded.why, words = excluded.words, tries = step_waits.tries + 1, last_at = excluded.last_at
       returning id, storefront_order_id, print_order_id, since, tries, hold_id as "holdId")
     select k.id, k.since, k.tries, k."holdId", o.place::int
     from unnest($2::bigint[], $3::bigint[]) with ordinality o(storefront_order_id, print_order_id, place)
     join kept k on k.storefront_order_id = o.storefront_order_id and k.print_order_id is not distinct from o.print_order_id`,
    [
      orders.map(({ shopId }) => shopId),
      orders.map(({ storefrontOrderId }) => storefrontOrderId),
      orders.map(({ printOrder }) => printOrder?.id ?? null),
      step,
      code,
      why,
      words,
      now,
    ],
  );
  return rows.flatMap(({ place, ...row }) => {
    const order = orders[place - 1];
    const ageSeconds = Math.max(0, (now.getTime() - row.since.getTime()) / 1000);
    const nextAt = new Date(now.getTime() + toPause(ageSeconds, row.tries, wait) * 1000);
    return order ? { ...row, order, ageSeconds, nextAt } : [];
  });
}

/**
 * Computes a pause that grows with the time for which the step has been failing. Pauses roughly double from 5 seconds to 5 minutes, with
 * jitter.
 */
function toPause(ageSeconds: number, tries: number, wait: Wait): number {
  const seconds = typeof wait.seconds === 'function' ? wait.seconds(tries) : wait.seconds;
  if (seconds !== undefined && wait.isExact) return seconds;
  const growing = Math.min(MAX_SECONDS, Math.max(5, ageSeconds)) * (0.5 + Math.random() / 2);
  return seconds === undefined ? growing : Math.max(seconds, ageSeconds < 15 ? 0 : growing / 2);
}

/** Adds each reason to an order's timeline only once. */
async function writeWaitsToTimeline(
  manager: EntityManager,
  noted: readonly RecordedWait[],
  why: string,
): Promise<void> {
  const entries = noted.map(({ order }) => ({
    ...toOrderColumns(order),
    kind: 'waits',
    message: order.printOrder === null ? why : `${order.printOrder.reference} is waiting: ${why}`,
  }));
  const of = { storefrontOrderId: In(entries.map(({ storefrontOrderId }) => storefrontOrderId)), kind: 'waits' };
  const known = await manager.findBy(TimelineEntries, { ...of, message: In(entries.map(({ message }) => message)) });
  const isKnown = (entry: (typeof entries)[number]): boolean =>
    known.some(
      ({ storefrontOrderId, message }) => storefrontOrderId === entry.storefrontOrderId && message === entry.message,
    );
  await writeTimeline(manager, ...entries.filter((entry) => !isKnown(entry)));
}

/** Opens at most one hold per wait. A failing step opens no hold if the print order already has another hold. */
async function holdWaits(
  manager: EntityManager,
  lasting: readonly RecordedWait[],
  wait: Wait,
  now: Date,
): Promise<void> {
  const { why, words = null, code = 'step_failing' } = wait;
  const said = words === null ? '' : ` It says: "${words}".`;
  const storefrontOrderIds = lasting.map(({ order }) => order.storefrontOrderId);
  const open = await manager.findBy(Holds, { storefrontOrderId: In(storefrontOrderIds), resolvedAt: IsNull() });
  const byOrder = Map.groupBy(open, ({ storefrontOrderId }) => storefrontOrderId);
  const toOpen: (RecordedWait & { message: string })[] = [];
  for (const noted of lasting) {
    const { id, order, since, holdId } = noted;
    const message = `${why}${said} Platen has been trying since ${toMinute(since)} and keeps trying.`;
    const known = (byOrder.get(order.storefrontOrderId) ?? []).filter(
      ({ printOrderId }) => printOrderId === (order.printOrder?.id ?? null),
    );
    const same = known.find((hold) => hold.code === code);
    if (same) {
      if (same.message !== message)
        await manager.update(Holds, { id: same.id }, { message, ...(wait.field ? { field: wait.field } : {}) });
      // Several failing steps share this hold. The last of these steps to succeed resolves the hold.
      if (code === 'step_failing' && holdId !== same.id)
        await manager.query('update step_waits set hold_id = $2 where id = $1', [id, same.id]);
    } else if (known.length === 0 || code !== 'step_failing') toOpen.push({ ...noted, message });
  }
  if (toOpen.length > 0) await openWaitHolds(manager, toOpen, { why, code, field: wait.field ?? null }, now);
}

async function openWaitHolds(
  manager: EntityManager,
  toOpen: readonly (RecordedWait & { message: string })[],
  { why, code, field }: { why: string; code: HoldCode; field: string | null },
  now: Date,
): Promise<void> {
  const holds = toOpen.map(({ order, message }) => {
    const shopifyFulfillmentOrderId = order.printOrder?.shopifyFulfillmentOrderId ?? null;
    return { ...toOrderColumns(order), shopifyFulfillmentOrderId, code, field, message };
  });
  const { identifiers } = await manager.insert(Holds, holds);
  // The step is now failing for another reason, so only the new hold stays.
  const former = toOpen.flatMap(({ holdId }) => holdId ?? []);
  if (former.length > 0) await manager.update(Holds, { id: In(former), resolvedAt: IsNull() }, { resolvedAt: now });
  await manager.query(
    `update step_waits w set hold_id = n.hold_id from unnest($1::bigint[], $2::bigint[]) n(id, hold_id) where w.id = n.id`,
    [toOpen.map(({ id }) => id), identifiers.map((row) => String(row['id']))],
  );
  const entries = toOpen.map(({ order }) => ({
    ...toOrderColumns(order),
    kind: 'held',
    message: `${order.printOrder?.reference ?? 'The order'} is held: ${why}`,
    data: { code },
  }));
  await writeTimeline(manager, ...entries);
  for (const { storefrontOrderId } of holds) await enqueueStoreUpdate(manager, storefrontOrderId);
}

function toOrderColumns({ shopId, storefrontOrderId, printOrder }: WaitingOrder) {
  return { shopId, storefrontOrderId, printOrderId: printOrder?.id ?? null };
}

function toMinute(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
