import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { PlatenError } from '../../errors.ts';

const run = promisify(execFile);

/**
 * The unprivileged account under which PostgreSQL runs if this process runs as root. Empty if PostgreSQL runs under this process's own
 * account.
 */
export interface DatabaseUser {
  uid?: number;
  gid?: number;
}

/** Accounts that exist on common systems, in order of preference. */
const ACCOUNTS = ['postgres', 'nobody', 'daemon'];

/** Chooses the account for PostgreSQL, because PostgreSQL does not run as root. Throws PlatenError if no suitable account exists. */
export async function chooseDatabaseUser(): Promise<DatabaseUser> {
  if (process.getuid?.() !== 0) return {};
  for (const account of ACCOUNTS) {
    const uid = await readId('-u', account);
    const gid = await readId('-g', account);
    if (uid !== null && gid !== null && uid !== 0) return { uid, gid };
  }
  throw new PlatenError(
    'no_database_user',
    `PostgreSQL does not run as root, and none of the accounts ${ACCOUNTS.join(', ')} exists. Set DATABASE_URL, or run Platen as another user.`,
  );
}

async function readId(flag: '-u' | '-g', account: string): Promise<number | null> {
  try {
    const { stdout } = await run('id', [flag, account], { timeout: 5_000 });
    const id = Number.parseInt(stdout, 10);
    return Number.isInteger(id) ? id : null;
  } catch {
    return null;
  }
}

/** Returns whether the account may read a file or list a folder, and may enter every folder above it. */
export async function canReach(path: string, user: DatabaseUser): Promise<boolean> {
  if (user.uid === undefined) return true;
  const entry = await stat(path);
  const needed = entry.isDirectory() ? 0o5 : 0o4;
  return hasRights(entry, user, needed) && (await canEnter(dirname(path), user));
}

/** Returns whether the account may enter a folder and every folder above it. */
export async function canEnter(folder: string, user: DatabaseUser): Promise<boolean> {
  if (user.uid === undefined) return true;
  if (!hasRights(await stat(folder), user, 0o1)) return false;
  const parent = dirname(folder);
  return parent === folder || canEnter(parent, user);
}

/** Evaluates permission bits as the kernel does: the first matching class (owner, group, others) decides. */
function hasRights(entry: { mode: number; uid: number; gid: number }, user: DatabaseUser, needed: number): boolean {
  const shift = entry.uid === user.uid ? 6 : entry.gid === user.gid ? 3 : 0;
  return ((entry.mode >> shift) & needed) === needed;
}
