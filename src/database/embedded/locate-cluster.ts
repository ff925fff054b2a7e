import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { canEnter } from './database-user.ts';
import type { DatabaseUser } from './database-user.ts';
import { createReachableFolder } from './create-reachable-folder.ts';

const clusterSchema = z.object({ folder: z.string().min(1), password: z.string().min(1) });

/**
 * A PostgreSQL cluster that Platen runs. `folder` contains the cluster's data, log and unfinished data directories, and belongs to the
 * database's user.
 */
export type Cluster = z.infer<typeof clusterSchema>;

/**
 * Finds the cluster of a PLATEN_HOME, or decides where to put it. `postgres.json` in home (0600) stores the location, so that a later
 * start finds the data even if folder permissions have changed. Normally, the folder is `postgres` under home. If the database's user
 * cannot enter home, the folder is named after home's absolute path. Several processes may call this function simultaneously: one of them
 * writes the file, and all of them read it.
 */
export async function locateCluster(home: string, user: DatabaseUser): Promise<Cluster> {
  const root = resolve(home);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const record = join(root, 'postgres.json');
  const known = await readRecord(record);
  const cluster = known ?? (await recordCluster(root, record, user));
  await createFolder(cluster.folder, user);
  return cluster;
}

async function recordCluster(root: string, record: string, user: DatabaseUser): Promise<Cluster> {
  const folder = (await openToUser(root, user)) ? join(root, 'postgres') : await nameFolderByPath(root);
  const draft = `${record}.${randomBytes(6).toString('hex')}`;
  const cluster = { folder, password: randomBytes(24).toString('hex') };
  await writeFile(draft, `${JSON.stringify(cluster)}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, record);
    return cluster;
  } catch (error) {
    const winner = await readRecord(record);
    if (winner === null) throw error;
    return winner;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readRecord(path: string): Promise<Cluster | null> {
  try {
    return clusterSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Returns whether the database's user can enter home. If not, tries to give the user's group permission to enter home. Home's mode is
 * normally 0700.
 */
async function openToUser(root: string, user: DatabaseUser): Promise<boolean> {
  if (await canEnter(root, user)) return true;
  const { mode, uid } = await stat(root);
  if (user.gid === undefined || uid !== 0 || (mode & 0o070) !== 0 || !(await canEnter(dirname(root), user)))
    return false;
  await chown(root, uid, user.gid);
  await chmod(root, (mode & 0o7777) | 0o010);
  return true;
}

/**
 * Returns a folder named after home's path, with a random suffix. If home was removed and created again, the old cluster's folder cannot be
 * used, because its password was lost with the record.
 */
async function nameFolderByPath(root: string): Promise<string> {
  const path = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(await createReachableFolder(), `${path}-${randomBytes(3).toString('hex')}`);
}

async function createFolder(folder: string, user: DatabaseUser): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
