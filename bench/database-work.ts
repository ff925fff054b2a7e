import { readdir, readFile } from 'node:fs/promises';
import type { Stage } from './stage.ts';

/** Clock ticks per second in /proc, on every Linux that Node supports. */
const TICKS = 100;
/** An idle connection reports its counts within 10 s (pgstat.c, PGSTAT_IDLE_INTERVAL). */
export const COUNT_LAG_MS = 10_500;

export interface Transactions {
  commits: number;
  /** All transactions, including those that were rolled back. */
  all: number;
}

/**
 * Returns how many transactions have run in the app's database so far, excluding the benchmark's own. PostgreSQL's counts lag by up to
 * COUNT_LAG_MS.
 */
export async function readTransactions(stage: Stage): Promise<Transactions> {
  const [row] = await stage.queryAside<{ commits: string; rollbacks: string }>(
    `select xact_commit as commits, xact_rollback as rollbacks from pg_stat_database where datname = 'platen'`,
  );
  const commits = Number(row?.commits) - stage.looks();
  return { commits, all: commits + Number(row?.rollbacks) };
}

/** Returns the processor time of all PostgreSQL processes, including those that have ended. Returns null without /proc. */
export async function readDatabaseCpuMs(stage: Stage): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const [row] = await stage.queryAside<{ pid: string }>(
    `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid`,
  );
  const postmaster = Number(row?.pid);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const times = await Promise.all(pids.map((pid) => readCpuTicks(pid, postmaster)));
  return (times.reduce((sum, ticks) => sum + ticks, 0) * 1000) / TICKS;
}

/** Returns the user and system time of a process, including its ended children, or 0 if it is not a PostgreSQL process. */
async function readCpuTicks(pid: number, postmaster: number): Promise<number> {
  // A process may end in the meantime.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The program's name is in parentheses and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent, ...times] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]));
  if (pid !== postmaster && parent !== postmaster) return 0;
  return times.reduce((sum, ticks) => sum + ticks, 0);
}
