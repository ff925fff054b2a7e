import { connectDatabase } from '../../database/connect.ts';
import { assessUpgrade, type AssessedMigration, type UpgradeReport } from '../../database/upgrade/assess-upgrade.ts';
import { readUpgradeState } from '../../database/upgrade/read-upgrade-state.ts';
import { QUEUE_MIGRATION } from '../../jobs/migrate-queue.ts';
import { readVersion } from '../../read-version.ts';
import { writeJson, writeLine } from '../../terminal.ts';
import { withDatabaseUrl } from '../open-app.ts';
import { UsageError } from '../usage-error.ts';
import { describeCount } from '../describe-count.ts';

const EXIT_CODES = { ready: 0, attention: 3, blocked: 4 };
/** The first migration alone has more than a hundred statements. */
const MAX_STATEMENTS = 10;
const STATEMENT_LENGTH = 150;

/**
 * `platen upgrade --preflight`: reports what this version's migrations would do to the database of the running version. Changes nothing.
 * Returns the exit code.
 */
export async function upgrade({ preflight, json }: { preflight: boolean; json: boolean }): Promise<number> {
  if (!preflight)
    throw new UsageError(
      'Add --preflight. To upgrade, start processes of the new version: the first one migrates the database.',
    );
  const report = await withDatabaseUrl(async (url) => {
    const db = await connectDatabase({ url, poolSize: 1, applicationName: 'platen command' });
    try {
      const state = await readUpgradeState(db);
      return assessUpgrade(state, { version: readVersion(), queueMigration: QUEUE_MIGRATION });
    } finally {
      await db.destroy();
    }
  });
  if (json) writeJson(report);
  else describeReport(report).forEach(writeLine);
  return EXIT_CODES[report.result];
}

function describeReport(report: UpgradeReport): string[] {
  const { version, running, migrations, isRollingPossible, backup, findings, result } = report;
  const versions = running.versions.map((one) => one ?? 'an unknown version').join(', ');
  return [
    `Upgrade to Platen ${version}.`,
    `Running: ${versions === '' ? 'no process' : versions}; workers: ${running.workers}.`,
    migrations.length === 0 ? 'Migrations: none.' : `Migrations: ${migrations.length}, in this order.`,
    ...migrations.flatMap(describeMigration),
    `Rolling upgrade: ${isRollingPossible ? 'possible' : 'not possible'}.`,
    `Last backup by "platen backup": ${backup.writtenAt ?? 'none known'}. Last archived log: ${backup.archivedAt ?? 'none known'}.`,
    ...findings.map(
      ({ level, code, message, remedy }) =>
        `${level === 'blocked' ? 'BLOCKED' : 'ATTENTION'} ${code}: ${message} ${remedy}`,
    ),
    result === 'ready'
      ? 'Ready.'
      : result === 'attention'
        ? 'Possible, but consider the points above first.'
        : 'Do not upgrade yet.',
  ];
}

function describeMigration({ name, about, statements, seconds, locks }: AssessedMigration): string[] {
  const left = statements.length - MAX_STATEMENTS;
  return [
    `- ${name}: ${about} Takes ${seconds <= 1 ? 'less than a second' : `about ${seconds} seconds`} once it has its locks.`,
    ...locks.map(
      ({ table, lock, blocks, work, rows, bytes }) =>
        `    ${table}: ${lock}; blocks ${blocks}; ${describeWork(work)}; about ${describeCount(Math.round(rows), 'row')}, ${describeBytes(bytes)}`,
    ),
    ...statements.slice(0, MAX_STATEMENTS).map((statement) => `    > ${shorten(statement)}`),
    ...(left > 0 ? [`    > … and ${describeCount(left, 'more statement')} (--json lists all)`] : []),
  ];
}

function describeWork(work: AssessedMigration['locks'][number]['work']): string {
  return { none: 'reads no rows', reads: 'reads all rows', writes: 'may write rows', rewrites: 'rewrites the table' }[
    work
  ];
}

function describeBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.ceil(bytes / 1_000_000)} MB`;
}

function shorten(statement: string): string {
  return statement.length <= STATEMENT_LENGTH ? statement : `${statement.slice(0, STATEMENT_LENGTH - 1)}…`;
}
