import pg from 'pg';
import { inject } from 'vitest';

/** Copies a database in its current state, as a dump that is loaded elsewhere would. Closes all connections to the database. */
export async function copyDatabase(databaseUrl: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = `/${name}_copy`;
  await runAsAdmin((run) => createCopy(run, name, `${name}_copy`));
  return {
    url: url.href,
    drop: () => runAsAdmin(async (run) => void (await run(`drop database ${name}_copy with (force)`))),
  };
}

async function createCopy(run: Run, name: string, copy: string): Promise<void> {
  await closeConnections(run, name);
  await run(`create database ${copy} template ${name}`);
  await run(`alter database ${name} with allow_connections true`);
}

/**
 * Copies a database in its current state. Returns a function that replaces the database with the copy, as restoring a backup would. Both
 * operations close all connections, and clients that reconnect find the other database.
 */
export async function backUpDatabase(databaseUrl: string): Promise<() => Promise<void>> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const copy = `${name}_backup`;
  await runAsAdmin((run) => createCopy(run, name, copy));
  return () =>
    runAsAdmin(async (run) => {
      await closeConnections(run, name);
      await run(`drop database ${name} with (force)`);
      await run(`alter database ${copy} rename to ${name}`);
    });
}

type Run = (sql: string) => Promise<unknown>;

async function closeConnections(run: Run, name: string): Promise<void> {
  await run(`alter database ${name} with allow_connections false`);
  await run(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
}

async function runAsAdmin(act: (run: Run) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  try {
    await act((sql) => client.query(sql));
  } finally {
    await client.end();
  }
}
