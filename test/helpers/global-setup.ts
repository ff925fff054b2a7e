import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connectDatabase } from '../../src/database/connect.ts';
import { findPostmaster } from '../../src/database/embedded/find-postmaster.ts';
import { openEmbeddedDatabase } from '../../src/database/embedded.ts';
import { migrate } from '../../src/database/migrate.ts';
import { migrateQueue } from '../../src/jobs/migrate-queue.ts';
import { buildAdmin } from '../../scripts/build-admin.ts';
import { FASTEST_FOLDER } from './fastest-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** Starts one PostgreSQL server for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildAdmin();
  const { url, stop } = await startTestServer();
  project.provide('databaseUrl', url);
  return stop;
}

/** Starts a PostgreSQL server with a migrated template for test databases. `stop` stops the server. */
export async function startTestServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  await removeLeftovers();
  const home = await mkdtemp(join(FASTEST_FOLDER, `platen-test-${process.pid}-`));
  const embedded = await openEmbeddedDatabase(home, { info: () => undefined });
  const stop = async (): Promise<void> => {
    await embedded.close();
    await rm(home, { recursive: true, force: true });
  };
  try {
    await createTemplate(embedded.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: embedded.url, stop };
}

/** Stops the servers that killed runs left behind. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(FASTEST_FOLDER)) {
    const owner = /^platen-test-(\d+)-/.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const home = join(FASTEST_FOLDER, name);
    const server = await findPostmaster(join(home, 'postgres/data'));
    if (server !== null) process.kill(server.pid, 'SIGQUIT');
    await rm(home, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function createTemplate(url: string): Promise<void> {
  const admin = await connectDatabase({ url, poolSize: 1 });
  // Nothing in this server needs to survive the run.
  await admin.query('alter system set fsync = off');
  await admin.query('alter system set full_page_writes = off');
  await admin.query('select pg_reload_conf()');
  await admin.query('create database platen_template');
  await admin.destroy();
  const templateUrl = new URL(url);
  templateUrl.pathname = '/platen_template';
  const template = await connectDatabase({ url: templateUrl.href });
  await migrate(template);
  await template.destroy();
  await migrateQueue(templateUrl.href);
}
