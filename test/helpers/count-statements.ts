import { watchStatements } from './watch-statements.ts';

/** PostgreSQL usage counts for this process. */
export interface Statements {
  statements: number;
  /** The number of transactions, and of statements outside a transaction. */
  commits: number;
  /** The number of jobs taken from the queue. */
  jobs: number;
}

const BEGINS = /^(begin|start transaction)\b/i;
/** The statements of the tests' clock. */
const OF_THE_CLOCK = /\bclock\.instant\b|\bpg_stat_activity\b|^select 1$/;
const ENDS = /^(commit|rollback)\b/i;

/** Counts the statements of all connections that are opened from now on. Job queue queries that find no job are not counted. */
export function countStatements(): Readonly<Statements> {
  const counted = { statements: 0, commits: 0, jobs: 0 };
  const inside = new WeakSet();
  watchStatements(({ text, client, jobs }) => {
    if (jobs === 0 || OF_THE_CLOCK.test(text)) return;
    counted.statements += 1;
    counted.jobs += jobs ?? 0;
    if (BEGINS.test(text)) inside.add(client);
    else if (ENDS.test(text)) inside.delete(client);
    if (!inside.has(client)) counted.commits += 1;
  });
  return counted;
}
