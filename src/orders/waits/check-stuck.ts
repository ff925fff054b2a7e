import type { App } from '../../app.ts';
import { STUCK } from './unfinished.ts';

/** Polls have tried to resume it many times by then. */
const STUCK_MS = 60 * 60_000;
/** Ids per log line. */
const MOST_NAMED = 50;

/**
 * The daily check that every unfinished print order has a job, a poll or a hold that the merchant sees. Those without one are logged as an
 * error. Returns how many there are.
 */
export async function checkStuck(app: App): Promise<number> {
  const before = new Date(app.now().getTime() - STUCK_MS);
  const stuck: { id: string }[] = await app.db.query(`select id from (${STUCK}) stuck limit 1000`, [before]);
  if (stuck.length > 0) {
    const printOrderIds = stuck.slice(0, MOST_NAMED).map(({ id }) => id);
    app.log.error(
      { printOrderIds, count: stuck.length },
      'print orders are stuck without a job, a poll or a hold; retry them by hand',
    );
  }
  return stuck.length;
}
