import type { App } from '../../app.ts';
import { STUCK } from './unfinished.ts';

/** A poll has tried to take it up many times by then. */
const STUCK_MS = 60 * 60_000;
/** Ids of one log line. */
const MOST_NAMED = 50;

/**
 * The daily check of what must always hold: a print order that is not over has a job, a poll or a hold that a person sees. Each one that
 * has not is an error in the log. Returns how many there are.
 */
export async function checkStuck(app: App): Promise<number> {
  const before = new Date(app.now().getTime() - STUCK_MS);
  const stuck: { id: string }[] = await app.db.query(`select id from (${STUCK}) stuck limit 1000`, [before]);
  if (stuck.length > 0) {
    const printOrderIds = stuck.slice(0, MOST_NAMED).map(({ id }) => id);
    app.log.error({ printOrderIds, count: stuck.length }, 'print orders that nothing takes up: retry them by hand');
  }
  return stuck.length;
}
