import type { App } from '../../app.ts';
import { Installations } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import { countRunners } from '../../jobs/runner/count-runners.ts';
import { readRebuildProgress } from '../../orders/rebuild/plan-unreconciled-orders.ts';
import { checkStores, type CheckedStore } from '../../shops/tokens/check-stores.ts';
import { endQuietTime } from '../../shops/print-account/end-quiet-time.ts';
import { beginQuietTimeAfterRestore } from '../../shops/install/installation.ts';
import { writeLine } from '../../terminal.ts';
import { confirm } from '../confirm.ts';
import { describeCount, describeRebuild } from '../describe-count.ts';

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
  if (isEnd) await confirmAndEnd(app, yes);
  else await confirmAndBegin(app, yes);
}

async function confirmAndBegin(app: App, isConfirmed: boolean): Promise<void> {
  const period = describeSeconds(app.config.print.submitQuietSeconds);
  const runners = await countRunners(app.db);
  if (runners > 0) {
    const who = `${describeCount(runners, 'worker', ['is', 'are'])} running`;
    const after = `After a restore, first stop all Platen processes.`;
    await confirm(
      `${who} on this database. ${after} On a live system, this stops all sending for ${period}.`,
      isConfirmed,
    );
  }
  const quietUntil = await beginQuietTimeAfterRestore(app);
  writeLine(`No print orders are submitted before ${quietUntil.toISOString()}.`);
  const rebuild = await readRebuildProgress(app);
  if (rebuild) writeLine(`${describeRebuild(rebuild)} "platen doctor" shows the progress.`);
  for await (const store of checkStores(app)) {
    const words = describeNeededAction(store);
    if (words !== null) writeLine(words);
  }
}

async function confirmAndEnd(app: App, isConfirmed: boolean): Promise<void> {
  const period = describeSeconds(app.config.print.submitQuietSeconds);
  const statement = `By ending the quiet time, you confirm that no other Platen process has used any copy of this database in the last ${period}.`;
  await confirm(`${statement} If another process has used a copy, orders may be printed twice.`, isConfirmed);
  const wasUntil = await endQuietTime(app);
  if (wasUntil === null) writeLine('No quiet time is in effect. Print orders are being submitted.');
  else writeLine(`The quiet time, which would have lasted until ${wasUntil.toISOString()}, has ended.`);
}

function describeSeconds(seconds: number): string {
  return seconds % 60 === 0 ? describeCount(seconds / 60, 'minute') : describeCount(seconds, 'second');
}

/** Returns the action that the operator must take for a store, or null if no action is needed. */
function describeNeededAction({ domain, answer }: CheckedStore): string | null {
  if (answer === 'works') return null;
  return answer === 'needs_sign_in'
    ? `${domain} rejects the tokens in the backup. Open Platen once in the store's admin. The store's orders wait until you do.`
    : `${domain} did not respond, so it is unknown whether it accepts the tokens in the backup. Check "platen shops list" later.`;
}
