import { restoreBackup } from '../../database/backup/restore-backup.ts';
import { PlatenError } from '../../errors.ts';
import { migrateQueue, QUEUE_MIGRATION } from '../../jobs/migrate-queue.ts';
import { beginQuietTimeInRestore } from '../../shops/install/installation.ts';
import { findKeyProblem, KEY_TABLES } from '../../shops/print-account/find-key-problem.ts';
import { writeErrorLine, writeLine } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { withApp, withDatabaseUrl } from '../open-app.ts';
import { restored } from './restored.ts';
import { systemClock } from '../../clock.ts';

/**
 * `platen restore`: restores a backup into an empty database and starts the quiet time in the same transaction. Then migrates the database
 * and checks the stores' tokens, as `platen restored` does, and shows the remaining steps.
 */
export async function restore({
  args: [file = ''],
  options: { 'dry-run': isDryRun },
}: Pick<GivenArguments, 'args'> & { options: { 'dry-run': boolean } }): Promise<void> {
  let hasInstallation = false;
  const done = await withDatabaseUrl(
    (url, config) =>
      restoreBackup({
        url,
        file,
        isDryRun,
        queue: { migration: QUEUE_MIGRATION, create: migrateQueue },
        secrets: {
          tables: KEY_TABLES,
          check: async (db) => {
            const problem = await findKeyProblem({ db, config });
            if (problem !== null) throw new PlatenError('wrong_key', `Nothing was restored. ${problem}`);
          },
        },
        beforeCommit: async (db) => {
          hasInstallation = (await beginQuietTimeInRestore({ db, config, clock: systemClock })) !== null;
        },
      }),
    { mayCreate: true, isDryRun },
  );
  const { header, rows, skipped } = done;
  const counts = Object.values(rows);
  const content = `${counts.reduce((total, one) => total + one, 0)} rows of ${counts.length} tables`;
  const origin = `${content} as of ${header.createdAt}, written by Platen ${header.platen}`;
  if (isDryRun) return writeLine(`The backup can be restored: ${origin}. Nothing was changed.`);
  writeLine(`Restored ${origin}.`);
  for (const table of skipped)
    writeErrorLine(`The table ${table} was not restored, because it is not a table of Platen.`);
  if (hasInstallation) await checkStoresAfterRestore();
  describeNextSteps(header.createdAt).forEach(writeLine);
}

async function checkStoresAfterRestore(): Promise<void> {
  try {
    await withApp((app) => restored({ end: false, yes: true }, app));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    writeErrorLine(
      `The backup is restored and the quiet time has started, but the stores were not checked: ${message} Run "platen restored" before you start Platen.`,
    );
  }
}

function describeNextSteps(createdAt: string): string[] {
  return [
    'Next:',
    '1. Make sure that no Platen process still uses the old database.',
    `2. Repeat the erasures of personal data after ${createdAt} with "platen privacy redact" and "platen privacy forget".`,
    '3. Repeat the changes that people made in Platen after that time, such as settings, print links and holds.',
    '4. Start Platen. It searches the print service before it creates an order, so orders that it already sent are not printed twice.',
    'docs/operators/back-up.md explains each step.',
  ];
}
