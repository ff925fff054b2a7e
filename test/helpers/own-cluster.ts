import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { connectDatabase } from '../../src/database/connect.ts';
import { chooseDatabaseUser } from '../../src/database/embedded/database-user.ts';
import { locateCluster } from '../../src/database/embedded/locate-cluster.ts';
import { findPostgresBinaries } from '../../src/database/embedded/find-postgres-binaries.ts';
import { findPostmaster } from '../../src/database/embedded/find-postmaster.ts';
import { openEmbeddedDatabase } from '../../src/database/embedded.ts';
import { migrate } from '../../src/database/migrate.ts';
import { migrateQueue } from '../../src/jobs/migrate-queue.ts';

/** A migrated PostgreSQL server for a single test that may kill the server. */
export interface OwnCluster {
  url: string;
  db: DataSource;
  /** Stops the server abruptly and starts it again. */
  restart(): Promise<void>;
  /** Kills the server's main process with SIGKILL and starts the server again. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export async function openOwnCluster(): Promise<OwnCluster> {
  const home = await mkdtemp(join(tmpdir(), 'platen-home-'));
  const embedded = await openEmbeddedDatabase(home, { info: () => undefined });
  const db = await connectDatabase({ url: embedded.url });
  await migrate(db);
  await migrateQueue(embedded.url);
  const user = await chooseDatabaseUser();
  const [binaries, cluster] = [await findPostgresBinaries(user), await locateCluster(home, user)];
  const data = join(cluster.folder, 'data');
  const log = join(dirname(data), 'postgres.log');
  // Reuses the previous port.
  const restart = (): Promise<void> =>
    binaries.run('pg_ctl', ['restart', '-w', '-m', 'immediate', '-D', data, '-l', log], 60);
  return {
    url: embedded.url,
    db,
    restart,
    async kill() {
      const server = await findPostmaster(data);
      if (server === null) throw new Error('The server does not run.');
      process.kill(server.pid, 'SIGKILL');
      // After the kill, the server's child processes exit. Until then, no other server can use their shared memory.
      for (let tries = 0; ; tries += 1) {
        try {
          return await restart();
        } catch (error) {
          if (tries === 40) throw error;
          await delay(250);
        }
      }
    },
    async close() {
      await db.destroy();
      await embedded.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
