import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '../app.ts';

const PAUSE_MS = 200;
/** While nothing happens, the pauses grow up to this. */
const PAUSE_MS_AT_MOST = 5_000;
const PAGE = 200;
/** Steps get their number before they are committed, so one may appear after a later one: the last ones are read again. */
const LOOK_BACK = 200;

/** A new order gets its name with its first reading from the store, a moment after its first step. */
const NAMED_WITHIN_MS = 10_000;

interface Step {
  id: string;
  at: Date;
  /** Empty until the order was read. */
  name: string;
  orderId: string;
  message: string;
}

/** Writes each step of each order as a readable line when it happens, until the signal. `write` gets lines without line ends. */
export async function narrate(app: App, write: (line: string) => void, signal: AbortSignal): Promise<void> {
  const before = await lastStep(app);
  const reported = new Set<number>();
  let last = before;
  let pauseMs = PAUSE_MS;
  while (!signal.aborted) {
    const steps = await readSteps(app, Math.max(before, last - LOOK_BACK));
    // A step without a name, and the steps after it, wait for the name, so that steps stay in order.
    const nameless = steps.findIndex(
      ({ at, name }) => name === '' && app.now().getTime() - at.getTime() < NAMED_WITHIN_MS,
    );
    const ready = nameless < 0 ? steps : steps.slice(0, nameless);
    const lastBefore = last;
    for (const { id, at, name, orderId, message } of ready) {
      const number = Number(id);
      if (reported.has(number)) continue;
      reported.add(number);
      last = Math.max(last, number);
      write(`${at.toISOString().slice(11, 19)}  ${(name || orderId.replace(/^.*\//, '')).padEnd(7)} ${message}`);
    }
    for (const number of reported) if (number < last - 2 * LOOK_BACK) reported.delete(number);
    pauseMs = last > lastBefore || nameless >= 0 ? PAUSE_MS : Math.min(pauseMs * 1.2, PAUSE_MS_AT_MOST);
    if (ready.length < PAGE + LOOK_BACK) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function lastStep(app: App): Promise<number> {
  const [row]: { id: string }[] = await app.db.query(`select coalesce(max(id), 0)::text as id from timeline_entries`);
  return Number(row?.id ?? 0);
}

/** While the database is unavailable, there are no steps. */
async function readSteps(app: App, after: number): Promise<Step[]> {
  try {
    return await app.db.query(
      `select t.id, t.at, o.name, o.shopify_order_id as "orderId", t.message from timeline_entries t join storefront_orders o on o.id = t.storefront_order_id
       where t.id > $1 order by t.id limit $2`,
      [after, PAGE + LOOK_BACK],
    );
  } catch {
    return [];
  }
}
