import { setTimeout as delay } from 'node:timers/promises';
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
  for (let reportedAt = Date.now(); ;) {
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
    if (Date.now() - reportedAt > REPORT_MS) {
      reportedAt = Date.now();
      writeErrorLine(`${describeCount(due, 'variant')} remaining.`);
    }
    await delay(POLL_MS);
  }
}
