import type { App } from '../../app.ts';
import { Installations } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import { countRunners } from '../../jobs/runner/count-runners.ts';
import { askStores, type AskedStore } from '../../shops/tokens/ask-stores.ts';
import { endQuiet } from '../../shops/print-account/end-quiet.ts';
import { restoredNow } from '../../shops/install/installation.ts';
import { say } from '../../terminal.ts';
import { confirm } from '../confirm.ts';

/**
 * `platen restored`: starts the quiet time. The operator runs the command after restoring a backup and before any worker starts. `--end`
 * ends the quiet time early, if the operator confirms that no other process can still send.
 */
export async function restored({ end: isEnd, yes }: { end: boolean; yes: boolean }, app: App): Promise<void> {
  if (!(await app.db.manager.existsBy(Installations, { id: 1 }))) {
    const remedy = 'Set PLATEN_HOME or DATABASE_URL to the values that the app uses.';
    throw new PlatenError(
      'no_installation',
      `No shop has ever been installed in this database, so it is not the restored database. ${remedy}`,
    );
  }
  if (isEnd) await end(app, yes);
  else await begin(app, yes);
}

async function begin(app: App, isConfirmed: boolean): Promise<void> {
  const period = describeSeconds(app.config.print.submitQuietSeconds);
  const runners = await countRunners(app.db);
  if (runners > 0) {
    const who = runners === 1 ? '1 worker is running' : `${runners} workers are running`;
    const after = `After a restore, first stop all Platen processes.`;
    await confirm(
      `${who} on this database. ${after} On a live system, this stops all sending for ${period}.`,
      isConfirmed,
    );
  }
  const quietUntil = await restoredNow(app);
  say(`No print orders are submitted before ${quietUntil.toISOString()}.`);
  for await (const store of askStores(app)) {
    const words = describe(store);
    if (words !== null) say(words);
  }
}

async function end(app: App, isConfirmed: boolean): Promise<void> {
  const period = describeSeconds(app.config.print.submitQuietSeconds);
  const statement = `By ending the quiet time, you confirm that no other Platen process has used any copy of this database in the last ${period}.`;
  await confirm(`${statement} If another process has used a copy, orders may be printed twice.`, isConfirmed);
  const wasUntil = await endQuiet(app);
  if (wasUntil === null) say('No quiet time is in effect. Print orders are being submitted.');
  else say(`The quiet time, which would have lasted until ${wasUntil.toISOString()}, has ended.`);
}

function describeSeconds(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

/** Returns the action that the operator must take for a store, or null if no action is needed. */
function describe({ domain, answer }: AskedStore): string | null {
  if (answer === 'works') return null;
  return answer === 'needs_sign_in'
    ? `${domain} rejects the tokens in the backup. Open Platen once in the store's admin. The store's orders wait until you do.`
    : `${domain} did not respond, so it is unknown whether it accepts the tokens in the backup. Check "platen shops list" later.`;
}
