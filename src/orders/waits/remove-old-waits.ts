import type { App } from '../../app.ts';
import { endWaits } from './end-step-waits.ts';
import { IS_UNFINISHED } from './unfinished.ts';

/** Maximum number of waits that one pass removes. */
const MOST = 1000;

/** Excludes waits of a push, because a push may still correct the tracking code of a fulfilled print order. */
const OVER = `select w.id from step_waits w join print_orders p on p.id = w.print_order_id
  where w.step <> 'push' and not (${IS_UNFINISHED}) order by w.id limit ${MOST}`;

/**
 * Removes the waits of finished print orders and resolves their holds. For example, an event may finish a print order while its reading is
 * waiting. Waits of unfinished print orders stay, even if their retries are overdue.
 */
export async function removeOldWaits(app: App): Promise<number> {
  const over = { where: `id in (${OVER})`, values: [] };
  return app.db.transaction((manager) => endWaits(app, manager, over, 'the print order has ended'));
}
