import { findingsOf, type Finding } from '../finding.ts';
import { describeCount } from '../../describe-count.ts';

const { ok, warning, error } = findingsOf('database');

const MIN_VERSION = 15;
/** The maximum number of connections that one process opens, for its two pools, the job runner and a migration. */
const CONNECTIONS_PER_PROCESS = 31;

export interface DatabaseFacts {
  /** `server_version_num`, such as 170004. */
  version: number;
  maxConnections: number;
  /** Connections that only a superuser can open. */
  reservedConnections: number;
  usedConnections: number;
  /** How many more connections the limits of the database and the role allow. Null if they have no limit. */
  allowedConnections: number | null;
  isReadOnly: boolean;
  /** What the server lacks to store data, or null. */
  lack: string | null;
  encoding: string;
  dateStyle: string;
  isolation: string;
  /** The settings that decide whether a commit survives a crash. */
  durability: Readonly<Record<'fsync' | 'full_page_writes' | 'synchronous_commit', string>>;
}

/** Finds problems with the version and the settings of PostgreSQL. */
export function findDatabaseProblems(facts: DatabaseFacts): Finding[] {
  const found = [...findVersionProblem(facts), ...findConnectionProblem(facts), ...findSettingProblems(facts)];
  if (found.length > 0) return found;
  const { version, usedConnections, maxConnections } = facts;
  const message = `PostgreSQL ${Math.floor(version / 10_000)}: ${usedConnections} of ${maxConnections} connections are open.`;
  return [ok({ subject: 'PostgreSQL', message })];
}

function findVersionProblem({ version }: DatabaseFacts): Finding[] {
  const major = Math.floor(version / 10_000);
  if (major >= MIN_VERSION) return [];
  const remedy = `Upgrade the server to PostgreSQL ${MIN_VERSION} or newer.`;
  return [error({ subject: 'version', message: `The server runs PostgreSQL ${major}, which is too old.`, remedy })];
}

function findConnectionProblem(facts: DatabaseFacts): Finding[] {
  const { maxConnections, reservedConnections, usedConnections, allowedConnections } = facts;
  const free = Math.min(maxConnections - reservedConnections - usedConnections, allowedConnections ?? Infinity);
  if (free >= CONNECTIONS_PER_PROCESS) return [];
  return [
    warning({
      subject: 'max_connections',
      message: `Only ${describeCount(Math.max(0, free), 'more connection')} can be opened. Another Platen process, for example during a rolling upgrade, needs up to ${CONNECTIONS_PER_PROCESS}.`,
      remedy: `Raise max_connections, or the limit of the database or the role, to ${CONNECTIONS_PER_PROCESS} per process, including one additional process.`,
    }),
  ];
}

function findSettingProblems(facts: DatabaseFacts): Finding[] {
  const { isReadOnly, lack, encoding, dateStyle, isolation, durability } = facts;
  const found: Finding[] = [];
  if (lack !== null)
    found.push(
      error({
        subject: 'storage',
        message: `The database cannot store data, because ${lack}.`,
        remedy: 'Free what is missing on the server of PostgreSQL, or add to it (docs/operators/runbooks.md).',
      }),
    );
  if (isReadOnly)
    found.push(
      error({
        subject: 'transaction_read_only',
        message: 'The database accepts no changes: it is a standby, or its transactions are read-only by default.',
        remedy: 'Set DATABASE_URL to the primary server, or reset default_transaction_read_only.',
      }),
    );
  if (encoding !== 'UTF8')
    found.push(
      error({
        subject: 'server_encoding',
        message: `The database stores text as ${encoding}, which cannot represent every name and address.`,
        remedy: 'Recreate the database with the encoding UTF8, and restore a backup into it.',
      }),
    );
  if (!dateStyle.startsWith('ISO'))
    found.push(
      error({
        subject: 'DateStyle',
        message: `The database returns times in the format ${dateStyle}, which Platen misreads.`,
        remedy: "Reset DateStyle for the database and the role to 'ISO, MDY'.",
      }),
    );
  if (isolation !== 'read committed')
    found.push(
      error({
        subject: 'default_transaction_isolation',
        message: `The default isolation level of transactions is ${isolation}, so Platen's transactions can fail because of conflicts.`,
        remedy: "Reset default_transaction_isolation to 'read committed'.",
      }),
    );
  for (const [name, value] of Object.entries(durability))
    if (value === 'off')
      found.push(
        error({
          subject: name,
          message: `${name} is ${value}, so a crash of the server may lose the record of an order that was sent.`,
          remedy: `Set ${name} to on. Otherwise, an order may be printed twice after a crash.`,
        }),
      );
  return found;
}

const migrations = findingsOf('migrations');

export interface MigrationFacts {
  /** Migrations of this version that the database lacks. */
  pending: readonly string[];
  /** Migrations in the database that this version does not have. */
  unknown: readonly string[];
  hasQueue: boolean;
}

/** Finds migrations that are missing in the database or unknown to this version. */
export function findMigrationProblems({ pending, unknown, hasQueue }: MigrationFacts): Finding[] {
  const found: Finding[] = [];
  if (pending.length > 0 || !hasQueue)
    found.push(
      migrations.error({
        subject: 'pending',
        message:
          pending.length > 0
            ? `The database lacks ${pending.length} of this version's migrations: ${pending.slice(0, 5).join(', ')}.`
            : 'The database has no job queue.',
        remedy: 'Back up the database. Then run "platen migrate", or start this version, which migrates the database.',
        fix: { name: 'migrate' },
      }),
    );
  if (unknown.length > 0)
    found.push(
      migrations.warning({
        subject: 'unknown',
        message: `The database has migrations from a newer version of Platen: ${unknown.slice(0, 5).join(', ')}.`,
        remedy: 'Run the newer version on all servers.',
      }),
    );
  return found.length > 0 ? found : [migrations.ok({ subject: 'all', message: 'All migrations are applied.' })];
}
