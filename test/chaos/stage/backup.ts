import { setTimeout as delay } from 'node:timers/promises';
import type { Postgres } from './postgres.ts';

const MAX_COPIES = 10;

/**
 * Copies the current database `platen` to `platen_backup`. PostgreSQL can copy only a database without connections. The function therefore
 * ends all connections and refuses new ones until the copy is complete, which also disturbs the replicas. (The npm package has no pg_dump.)
 */
export async function backUp(postgres: Postgres): Promise<void> {
  await postgres.runAsAdmin(['alter database platen allow_connections false']);
  try {
    await copy(postgres, 'platen', 'platen_backup');
  } finally {
    await postgres.runAsAdmin(['alter database platen allow_connections true']);
  }
}

/** Replaces `platen` with the copy. Ends all open connections. */
export async function restore(postgres: Postgres): Promise<void> {
  await postgres.runAsAdmin(['drop database platen with (force)']);
  await copy(postgres, 'platen_backup', 'platen');
  await postgres.runAsAdmin(['drop database platen_backup with (force)']);
}

async function copy(postgres: Postgres, from: string, to: string): Promise<void> {
  const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${from}'`;
  for (let tries = 1; ; tries += 1) {
    try {
      await postgres.runAsAdmin([cut, `create database ${to} template ${from}`]);
      return;
    } catch (error) {
      // A new connection may have been opened while the others were being closed.
      if (tries === MAX_COPIES) throw error;
      await delay(100);
    }
  }
}
