import type { App } from '../app.ts';

const PAUSE_MS = 200;
/** The longest pause between reads. Pauses increase to this length while nothing happens. */
const MAX_PAUSE_MS = 5_000;
const PAGE = 200;
/** How many of the last steps are read again. A step receives its number before it is committed, so it may appear after a later step. */
const LOOK_BACK = 200;

/**
 * How long to wait for an order's name. A new order has no name until Platen first reads it from the store, shortly after its first step.
 */
const MAX_NAME_WAIT_MS = 10_000;

interface Step {
  id: string;
  at: Date;
  /** Empty until Platen has read the order. */
  name: string;
  orderId: string;
  message: string;
}

/**
 * Writes one readable line for each step of each order as it happens, until the signal is aborted. `write` receives lines without line
 * endings.
 */
export async function narrate(app: App, write: (line: string) => void, signal: AbortSignal): Promise<void> {
  const before = await lastStep(app);
  const reported = new Set<number>();
  let last = before;
  let pauseMs = PAUSE_MS;
  while (!signal.aborted) {
    const steps = await readSteps(app, Math.max(before, last - LOOK_BACK));
    // A step whose order has no name yet waits for the name. Later steps wait too, so that all steps stay in order.
    const nameless = steps.findIndex(
      ({ at, name }) => name === '' && app.clock.now().getTime() - at.getTime() < MAX_NAME_WAIT_MS,
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
    pauseMs = last > lastBefore || nameless >= 0 ? PAUSE_MS : Math.min(pauseMs * 1.2, MAX_PAUSE_MS);
    if (ready.length < PAGE + LOOK_BACK) await app.clock.sleep(pauseMs, signal).catch(() => undefined);
  }
}

async function lastStep(app: App): Promise<number> {
  const [row]: { id: string }[] = await app.db.query(`select coalesce(max(id), 0)::text as id from timeline_entries`);
  return Number(row?.id ?? 0);
}

/** Reads the next steps. Returns an empty list while the database is unavailable. */
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
