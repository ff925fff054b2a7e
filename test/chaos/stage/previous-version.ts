import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const INSTALL_MS_AT_MOST = 300_000;

/**
 * Writes the code of a git revision to a new folder and returns its path. `previous` is the last revision without the newest migration: the
 * version that runs beside this one during a rollout. Throws an Error if the history does not contain the revision.
 */
export async function checkOutVersion(home: string, revision: string): Promise<string> {
  const commit = revision === 'previous' ? await findPrevious() : revision;
  const folder = join(home, 'previous-version');
  await mkdir(folder);
  const archive = git('archive', '--format=tar', commit);
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const isSameLock = readFileSync(join(ROOT, 'package-lock.json')).equals(git('show', `${commit}:package-lock.json`));
  if (isSameLock) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci'], { cwd: folder, stdio: 'ignore', timeout: INSTALL_MS_AT_MOST });
  return folder;
}

/** A migration that is not committed yet belongs only to this version. */
async function findPrevious(): Promise<string> {
  const newest = (await readdir(join(ROOT, 'migrations'))).toSorted().at(-1);
  const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', `migrations/${newest}`);
  const commit = added.toString().trim();
  return commit === '' ? 'HEAD' : `${commit}^`;
}

function git(...args: string[]): Buffer {
  return execFileSync('git', args, { cwd: ROOT, maxBuffer: 256 * 1024 * 1024 });
}
