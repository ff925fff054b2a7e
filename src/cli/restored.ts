import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import { Installations } from '../database/shops.ts';
import { PlatenError } from '../errors.ts';
import { countRunners } from '../jobs/count-runners.ts';
import { askStores, type AskedStore } from '../shops/ask-stores.ts';
import { restoredNow } from '../shops/installation.ts';
import { withApp } from './open-app.ts';

/** `platen restored`: after a backup was restored, before any worker starts. */
export async function restored(args: string[]): Promise<void> {
  parseArgs({ args });
  await withApp(async (app) => {
    if (!(await app.db.manager.existsBy(Installations, { id: 1 }))) {
      const remedy = 'Set PLATEN_HOME or DATABASE_URL as they are set for the app.';
      throw new PlatenError(
        'no_installation',
        `No shop was ever installed in this database: it is not the restored one. ${remedy}`,
      );
    }
    const quietUntil = await restoredNow(app);
    console.log(`No print order is submitted before ${quietUntil.toISOString()}.`);
    // The quiet time stands already; what was begun by then may go on all the same.
    await refuseRunners(app);
    for await (const store of askStores(app)) {
      const words = describe(store);
      if (words !== null) console.log(words);
    }
  });
}

async function refuseRunners(app: App): Promise<void> {
  const runners = await countRunners(app.db);
  if (runners === 0) return;
  const who = runners === 1 ? 'A worker runs' : `${runners} workers run`;
  throw new PlatenError(
    'workers_run',
    `${who} on this database, and what was begun there may still take effect: stop every process of Platen, then run "platen restored" again.`,
  );
}

/** What is to be done about a store; null: nothing. */
function describe({ domain, answer }: AskedStore): string | null {
  if (answer === 'works') return null;
  return answer === 'needs_sign_in'
    ? `${domain} takes none of the backup's tokens: open Platen once in its admin; its orders wait until then.`
    : `${domain} could not be asked whether it takes the backup's tokens: "platen shops list" tells it later.`;
}
