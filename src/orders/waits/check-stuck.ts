import type { App } from '../../app.ts';
import { STUCK_PRINT_ORDERS } from './unfinished.ts';

/** Within this time, polls have tried many times to resume a print order. */
const STUCK_MS = 60 * 60_000;
/** Maximum number of IDs in one log line. */
const MAX_NAMED = 50;

/**
 * Runs the daily check that every unfinished print order has a job, a poll or a hold that the merchant sees. Logs stuck print orders as an
 * error. Returns their number.
 */
export async function checkStuck(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - STUCK_MS);
  const stuck: { id: string }[] = await app.db.query(`select id from (${STUCK_PRINT_ORDERS}) stuck limit 1000`, [
    before,
  ]);
  if (stuck.length > 0) {
    const printOrderIds = stuck.slice(0, MAX_NAMED).map(({ id }) => id);
    app.log.error(
      { printOrderIds, count: stuck.length },
      'print orders are stuck without a job, poll or hold; retry them manually',
    );
  }
  return stuck.length;
}
