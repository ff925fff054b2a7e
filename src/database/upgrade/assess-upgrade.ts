import type { Lock, Work } from './described-migration.ts';
import type { UpgradeState } from './read-upgrade-state.ts';

const RECENT_BACKUP_HOURS = 24;
const OLDEST_POSTGRES = 15;

/** The bytes per second of a slow disk, because an estimate that is too long is better than one that is too short. */
const BYTES_PER_SECOND: Record<Exclude<Work, 'none'>, number> = {
  reads: 100_000_000,
  writes: 10_000_000,
  rewrites: 20_000_000,
};

/** The statements that must wait while a migration holds each of these locks. */
const BLOCKS: Record<Lock, 'nothing' | 'writes' | 'reads and writes'> = {
  'ACCESS SHARE': 'nothing',
  'ROW SHARE': 'nothing',
  'ROW EXCLUSIVE': 'nothing',
  SHARE: 'writes',
  'SHARE ROW EXCLUSIVE': 'writes',
  'ACCESS EXCLUSIVE': 'reads and writes',
};

/** `attention`: the upgrade is possible, but the operator must decide how to proceed. `blocked`: it would fail or lose data. */
interface Finding {
  level: 'attention' | 'blocked';
  code: string;
  message: string;
  remedy: string;
}

interface TableLock {
  table: string;
  lock: Lock;
  /** The statements that must wait while the lock is held. */
  blocks: 'nothing' | 'writes' | 'reads and writes';
  work: Work;
  /** The server's estimate. */
  rows: number;
  /** The estimated size, including indexes. */
  bytes: number;
}

export interface AssessedMigration {
  name: string;
  about: string;
  statements: string[];
  /** The estimated duration of the migration. It holds no lock for longer. */
  seconds: number;
  locks: TableLock[];
}

export interface UpgradeReport {
  /** `ready`, or the highest level of the findings. */
  result: 'ready' | Finding['level'];
  /** The version whose migrations would run. */
  version: string;
  running: { versions: (string | null)[]; workers: number };
  migrations: AssessedMigration[];
  /** Whether processes of the old version can keep running while those of the new version start. */
  isRollingPossible: boolean;
  /** ISO 8601. */
  backup: { writtenAt: string | null; archivedAt: string | null };
  findings: Finding[];
}

/** Judges whether and how this version can replace the running one. Pure. */
export function assessUpgrade(
  state: UpgradeState,
  { version, queueMigration }: { version: string; queueMigration: number },
): UpgradeReport {
  const migrations = state.pending.map((migration) => toAssessedMigration(migration, state));
  const rolling = findRollingProblems(state, queueMigration);
  const processes = findProcessProblems(state, version);
  // A version does not show which migrations it knows, so the oldest of several versions may still use objects that a migration removes.
  const isMixed = processes.length > 0 && state.pending.some(isRemoval);
  const findings = [
    ...findBlockers(state, queueMigration),
    ...rolling,
    ...processes,
    ...findLongTransactions(state, migrations),
    ...findBackupProblems(state),
  ];
  const isBlocked = findings.some(({ level }) => level === 'blocked');
  return {
    result: isBlocked ? 'blocked' : findings.length > 0 ? 'attention' : 'ready',
    version,
    running: { versions: state.versions, workers: state.workers },
    migrations,
    isRollingPossible: !isBlocked && rolling.length === 0 && !isMixed,
    backup: { writtenAt: toText(state.backedUpAt), archivedAt: toText(state.archivedAt) },
    findings,
  };
}

const isRemoval = ({ breaksVersionsBefore }: UpgradeState['pending'][number]): boolean =>
  breaksVersionsBefore !== undefined;

const toText = (at: Date | null): string | null => at?.toISOString() ?? null;

function toAssessedMigration(
  { name, about, statements, effects }: UpgradeState['pending'][number],
  { tables }: UpgradeState,
): AssessedMigration {
  const locks = Object.entries(effects).map(([table, { lock, work }]) => {
    const { rows = 0, bytes = 0 } = tables[table] ?? {};
    return { table, lock, blocks: BLOCKS[lock], work, rows, bytes };
  });
  const seconds = locks.reduce((total, lock) => total + toSeconds(lock), 0);
  return { name, about, statements, seconds: Math.ceil(seconds), locks };
}

function toSeconds({ work, bytes }: TableLock): number {
  return work === 'none' ? 0 : bytes / BYTES_PER_SECOND[work];
}

function findBlockers(state: UpgradeState, queueMigration: number): Finding[] {
  const found: Finding[] = [];
  const block = (code: string, message: string, remedy: string) =>
    found.push({ level: 'blocked', code, message, remedy });
  if (Number.parseInt(state.postgres, 10) < OLDEST_POSTGRES)
    block(
      'postgres_too_old',
      `The server runs PostgreSQL ${state.postgres}.`,
      `Platen needs PostgreSQL ${OLDEST_POSTGRES} or newer.`,
    );
  if (state.isTooOld)
    block(
      'database_too_old',
      'The database is from a build that is too old to upgrade directly.',
      'Start the previous build once, and then start this version.',
    );
  if (state.unknown.length > 0)
    block(
      'database_newer',
      `A newer version has already migrated the database (${state.unknown.join(', ')}).`,
      'Run this command from the version that you want to upgrade to.',
    );
  if ((state.queueMigration ?? 0) > queueMigration)
    block(
      'queue_newer',
      `A newer version has already migrated the job queue (${state.queueMigration}).`,
      'Run this command from the version that you want to upgrade to.',
    );
  const others = Object.entries(state.tables).filter(([, { isOwned }]) => !isOwned);
  if (others.length > 0 || (state.pending.length > 0 && !state.mayCreate))
    block(
      'no_permission',
      others.length > 0
        ? `The database user does not own ${others.map(([name]) => name).join(', ')}, which the migrations change.`
        : 'The database user may not create tables in the schema public.',
      'Run the migrations as the owner of the tables.',
    );
  return found;
}

/** Finds the reasons why processes of the running version cannot keep working while the new version starts. */
function findRollingProblems(
  { pending, done, queueMigration: queue, isNew }: UpgradeState,
  current: number,
): Finding[] {
  if (isNew) return [];
  const remedy = 'Stop all processes of the old version before you start the new one.';
  const breaking = pending.filter(({ breaksVersionsBefore: needed }) => needed !== undefined && !done.includes(needed));
  const found: Finding[] = breaking.map(({ name, breaksVersionsBefore }) => ({
    level: 'attention',
    code: 'skips_a_version',
    message: `${name} removes tables or columns that the running version still uses, because the upgrade skips the version with ${breaksVersionsBefore}.`,
    remedy: `${remedy} Alternatively, upgrade to an intermediate version first.`,
  }));
  if (queue !== null && queue < current)
    found.push({
      level: 'attention',
      code: 'queue_changes',
      message: `The upgrade changes the tables of the job queue (from ${queue} to ${current}).`,
      remedy,
    });
  return found;
}

function findProcessProblems({ versions, pending }: UpgradeState, version: string): Finding[] {
  const others = versions.filter((one) => one !== version);
  if (versions.length < 2 || others.length === 0 || pending.length === 0) return [];
  const removals = pending.filter(isRemoval).map(({ name }) => name);
  const danger =
    removals.length === 0
      ? ''
      : ` The oldest of them may still use tables or columns that these migrations remove: ${removals.join(', ')}.`;
  return [
    {
      level: 'attention',
      code: 'several_versions',
      message: `Processes of several versions use the database: ${versions.map((one) => one ?? 'unknown').join(', ')}.${danger}`,
      remedy: 'Finish the rollout that is in progress, or stop the processes of the older version.',
    },
  ];
}

/** Finds long transactions. While a migration waits for a transaction's lock on a table, all later statements on the table wait too. */
function findLongTransactions({ longTransactions }: UpgradeState, migrations: AssessedMigration[]): Finding[] {
  const exclusive = migrations.flatMap(({ locks }) => locks).filter(({ blocks }) => blocks !== 'nothing');
  if (exclusive.length === 0) return [];
  return longTransactions.map(({ application, seconds }) => ({
    level: 'attention',
    code: 'long_transaction',
    message: `A session of ${application || 'an unnamed program'} has had a transaction open for ${seconds} seconds. Platen would retry a migration for up to 9 minutes until the transaction ends, and each attempt would delay requests by up to 2 seconds.`,
    remedy: 'Upgrade after the transaction has ended. It may belong to a running backup.',
  }));
}

function findBackupProblems({ backedUpAt, archivedAt, isNew, pending, now }: UpgradeState): Finding[] {
  if (isNew || pending.length === 0) return [];
  const last = Math.max(backedUpAt?.getTime() ?? 0, archivedAt?.getTime() ?? 0);
  const hours = (now.getTime() - last) / 3_600_000;
  if (hours <= RECENT_BACKUP_HOURS) return [];
  return [
    {
      level: 'attention',
      code: 'no_recent_backup',
      message:
        last === 0
          ? 'No backup is known: "platen backup" has not run on this database, and the server does not archive its log.'
          : `The last known backup is ${Math.floor(hours)} hours old.`,
      remedy: 'Run "platen backup", or make sure that your own backup is recent.',
    },
  ];
}
