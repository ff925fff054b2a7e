import { IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, TimelineEntries } from '../../database/orders.ts';
import type { PrintOrder } from '../../database/print-orders.ts';
import { StepWaits, type Step, type StepWait } from '../../database/step-waits.ts';
import { enqueueTellStore } from '../enqueue-tell-store.ts';
import type { HoldCode } from '../hold-codes.ts';
import { writeTimeline } from '../write-timeline.ts';

/** A step that fails for this long, and this often, is shown as a hold. */
const PATIENCE = { minutes: 15, tries: 5 };
/** A pause grows to this at most, however long the step has failed. */
const LONGEST_SECONDS = 300;

/** The order whose step waits, or one print order of it. */
export type WaitingOrder = Pick<PrintOrder, 'shopId' | 'storefrontOrderId'> & {
  printOrder: (Pick<PrintOrder, 'id' | 'reference'> & { shopifyFulfillmentOrderId: string | null }) | null;
};

export interface Wait {
  step: Step;
  /** A sentence for the merchant: who did not do what. */
  why: string;
  /** What the other side said: shown in the order and its hold, kept out of the timeline. */
  words?: string | null;
  /** The hold to open when it lasts. */
  code?: HoldCode;
  /** Seconds until the next try, by how often it was tried; left out: soon, and later the longer it lasts. */
  seconds?: number | ((tries: number) => number);
  /** The service or the protocol names the time: it does not grow. */
  isExact?: boolean;
  /** The timeline says so at once, and not only when it lasts. */
  isNews?: boolean;
  /** How long and how often before the hold. */
  patience?: { minutes: number; tries: number };
}

type Noted = Pick<StepWait, 'id' | 'since' | 'tries' | 'holdId'>;

/**
 * Notes that a step did not get further, and returns when it is due again. Every failing step passes here, so that no order waits
 * unseen: the order shows why and until when, retries back off, and what lasts opens a hold beside the state. The hold changes nothing
 * of how the step is retried; `passStep` resolves it. Safe to call in the caller's transaction.
 */
export async function waitForStep(app: App, manager: EntityManager, order: WaitingOrder, wait: Wait): Promise<Date> {
  const now = app.now();
  const { shopId, storefrontOrderId, printOrder } = order;
  const { step, why, words = null, code = 'step_failing', isNews = false, patience = PATIENCE } = wait;
  const rows: Noted[] = await manager.query(
    `insert into step_waits (shop_id, storefront_order_id, print_order_id, step, code, why, words, since, last_at, next_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)
     on conflict (storefront_order_id, print_order_id, step) do update
       set code = excluded.code, why = excluded.why, words = excluded.words, tries = step_waits.tries + 1, last_at = excluded.last_at
     returning id, since, tries, hold_id as "holdId"`,
    [shopId, storefrontOrderId, printOrder?.id ?? null, step, code, why, words, now],
  );
  const [row] = rows;
  if (!row) throw new Error('a wait was not written');
  const ageSeconds = Math.max(0, (now.getTime() - row.since.getTime()) / 1000);
  const nextAt = new Date(now.getTime() + toPause(ageSeconds, row.tries, wait) * 1000);
  await manager.update(StepWaits, { id: row.id }, { nextAt });
  // A failure that passes in a moment is not worth a line.
  if (row.tries === (isNews ? 1 : PATIENCE.tries)) await noteWait(manager, order, why);
  if (ageSeconds >= patience.minutes * 60 && row.tries >= patience.tries)
    await openWaitHold(manager, order, row, wait, now);
  return nextAt;
}

/** About as long again as it has lasted, so that pauses double; between 5 seconds and 5 minutes, with jitter. */
function toPause(ageSeconds: number, tries: number, wait: Wait): number {
  const seconds = typeof wait.seconds === 'function' ? wait.seconds(tries) : wait.seconds;
  if (seconds !== undefined && wait.isExact) return seconds;
  const growing = Math.min(LONGEST_SECONDS, Math.max(5, ageSeconds)) * (0.5 + Math.random() / 2);
  return seconds === undefined ? growing : Math.max(seconds, ageSeconds < 15 ? 0 : growing / 2);
}

/** Each reason once. */
async function noteWait(
  manager: EntityManager,
  { shopId, storefrontOrderId, printOrder }: WaitingOrder,
  why: string,
): Promise<void> {
  const message = printOrder === null ? why : `${printOrder.reference} waits: ${why}`;
  const about = { shopId, storefrontOrderId, printOrderId: printOrder?.id ?? null };
  const known = { storefrontOrderId, kind: 'waits', message };
  if (!(await manager.existsBy(TimelineEntries, known)))
    await writeTimeline(manager, { ...about, kind: 'waits', message });
}

/** One hold a wait. A step that only fails opens none where something else of the print order waits for a person already. */
async function openWaitHold(
  manager: EntityManager,
  { shopId, storefrontOrderId, printOrder }: WaitingOrder,
  { id, since, holdId }: Noted,
  { why, words = null, code = 'step_failing' }: Wait,
  now: Date,
): Promise<void> {
  const printOrderId = printOrder?.id ?? null;
  const said = words === null ? '' : ` It says: "${words}".`;
  const message = `${why}${said} Platen has tried since ${toMinute(since)} and keeps trying.`;
  const open = { storefrontOrderId, printOrderId: printOrderId ?? IsNull(), resolvedAt: IsNull() };
  const known = await manager.findBy(Holds, open);
  const same = known.find((hold) => hold.code === code);
  if (same) {
    if (same.message !== message) await manager.update(Holds, { id: same.id }, { message });
    // Several steps share the hold, and the last of them resolves it.
    if (code === 'step_failing') await manager.update(StepWaits, { id }, { holdId: same.id });
    return;
  }
  if (known.length > 0 && code === 'step_failing') return;
  const shopifyFulfillmentOrderId = printOrder?.shopifyFulfillmentOrderId ?? null;
  const about = { shopId, storefrontOrderId, printOrderId };
  const { identifiers } = await manager.insert(Holds, { ...about, shopifyFulfillmentOrderId, code, message });
  // The step waits for something else than before: one hold says what for.
  if (holdId !== null) await manager.update(Holds, { id: holdId, resolvedAt: IsNull() }, { resolvedAt: now });
  await manager.update(StepWaits, { id }, { holdId: String(identifiers[0]?.['id']) });
  const name = printOrder?.reference ?? 'The order';
  await writeTimeline(manager, { ...about, kind: 'held', message: `${name} is held: ${why}`, data: { code } });
  await enqueueTellStore(manager, storefrontOrderId);
}

function toMinute(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
