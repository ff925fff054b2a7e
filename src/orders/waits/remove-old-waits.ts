import type { App } from '../../app.ts';
import { endWaits } from './pass-step.ts';
import { IS_UNFINISHED } from './unfinished.ts';

/** Waits removed per pass. */
const MOST = 1000;

/** A push may still correct the code of a fulfilled print order. */
const OVER = `select w.id from step_waits w join print_orders p on p.id = w.print_order_id
  where w.step <> 'push' and not (${IS_UNFINISHED}) order by w.id limit ${MOST}`;

/**
 * Removes the waits of finished print orders, such as one for a reading whose order an event fulfilled, and resolves their holds. Other
 * waits stay, however late their retries are.
 */
export async function removeOldWaits(app: App): Promise<number> {
  const over = { where: `id in (${OVER})`, values: [] };
  return app.db.transaction((manager) => endWaits(app, manager, over, 'the print order is over'));
}
