import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from './embedded.ts';
import { chooseDatabaseUser } from './embedded/database-user.ts';
import { locateCluster } from './embedded/locate-cluster.ts';

/** Opens an empty database on a server of its own, like `openEmbeddedDatabase`. `close` stops the server and deletes all its files. */
export async function openTemporaryDatabase(
  log: Parameters<typeof openEmbeddedDatabase>[1],
): Promise<{ url: string; close(): Promise<void> }> {
  await using opened = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'platen-temporary-'));
  opened.defer(() => rm(home, { recursive: true, force: true }));
  // If the database's user cannot enter the temporary folder, the cluster is elsewhere.
  const { folder } = await locateCluster(home, await chooseDatabaseUser());
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const embedded = await openEmbeddedDatabase(home, log);
  opened.defer(() => embedded.close());
  const kept = opened.move();
  return { url: embedded.url, close: () => kept.disposeAsync() };
}
