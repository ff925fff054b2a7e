import type { App } from '../app.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import { countRunners } from '../jobs/runner/count-runners.ts';
import { countVariantsInStore } from '../products/variant-sync/list-variants-in-store.ts';
import { writeErrorLine } from '../terminal.ts';
import { describeCount } from './describe-count.ts';

/** Shown when work is queued but no worker is running. */
export const NO_WORKER = 'No Platen worker is running on this database. The work starts once a worker is running.';

const POLL_MS = 300;
const REPORT_MS = 5_000;

/** Waits until no variants of a shop are due to be written to the store. The running app does the work. */
export async function waitForVariantSync(app: App, shop: Shop): Promise<void> {
  for (let reportedAt = app.clock.now().getTime(); ;) {
    const { due } = await countVariantsInStore(app, shop);
    if (due === 0) return;
    const { state } = await app.db.manager.findOneByOrFail(Shops, { id: shop.id });
    if (state !== 'installed' && state !== 'leaving') {
      writeErrorLine("Platen has to sign in to the store again. Open Platen once in the store's admin.");
      return;
    }
    if ((await countRunners(app.db)) === 0) {
      writeErrorLine(NO_WORKER);
      return;
    }
    if (app.clock.now().getTime() - reportedAt > REPORT_MS) {
      reportedAt = app.clock.now().getTime();
      writeErrorLine(`${describeCount(due, 'variant')} remaining.`);
    }
    await app.clock.sleep(POLL_MS);
  }
}
