import type { App } from '../../app.ts';
import { hasJob } from '../../jobs/has-job.ts';
import { endWaits } from './pass-step.ts';

/** A wait whose next try is this late has none: every retry is a job, or a poll that has just run. */
const LATE_MS = 60 * 60_000;
/** Waits that one pass removes. */
const MOST = 1000;

/** Of a wait `w`; the search is no job, but a poll of its own. */
const KEYS = `w.step || ':' || case when w.step in ('submit', 'follow') then w.print_order_id else w.storefront_order_id end,
  'plan-later:' || w.storefront_order_id`;

const OLD = `select w.id from step_waits w where w.next_at < $1 and not ${hasJob(KEYS)} order by w.id limit ${MOST}`;

/**
 * Removes waits that nothing retries, such as that of a reading whose print order was fulfilled by an event, and resolves their holds. Runs
 * after the polls, which renew the waits of what still fails.
 */
export async function removeOldWaits(app: App): Promise<number> {
  const late = new Date(app.now().getTime() - LATE_MS);
  // The outer time is compared again where a step has just failed once more.
  const where = `next_at < $1 and id in (${OLD})`;
  return app.db.transaction((manager) =>
    endWaits(app, manager, { where, values: [late] }, 'nothing waits for the step any longer'),
  );
}
