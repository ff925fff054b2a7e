import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAX_INSTALL_MS = 300_000;
const MAX_COMMITS = 50;

/**
 * Writes the code of a git revision to a new folder and returns the folder's path. `previous` is the version that runs alongside this one
 * during a rollout. Throws an Error if the history does not contain the revision.
 */
export async function checkOutVersion(home: string, revision: string): Promise<string> {
  const commit = revision === 'previous' ? await findPreviousVersion() : revision;
  const folder = join(home, 'previous-version');
  await mkdir(folder);
  const archive = git('archive', '--format=tar', commit);
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const isSameLock = readFileSync(join(ROOT, 'package-lock.json')).equals(git('show', `${commit}:package-lock.json`));
  if (isSameLock) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci'], { cwd: folder, stdio: 'ignore', timeout: MAX_INSTALL_MS });
  // Builds the app's pages, because the shops open them and the git history does not contain them.
  execFileSync('npm', ['run', '--if-present', 'build:admin'], {
    cwd: folder,
    stdio: 'ignore',
    timeout: MAX_INSTALL_MS,
  });
  return folder;
}

/**
 * Finds the newest revision that has some, but not all, of this version's migrations, and no others. A revision with a migration that this
 * version does not have was never released, so it cannot run on this version's database.
 */
async function findPreviousVersion(): Promise<string> {
  const here = new Set(await readdir(join(ROOT, 'migrations')));
  const commits = git('log', '--format=%H %P', `-${MAX_COMMITS}`, '--', 'migrations').toString().trim().split('\n');
  for (const commit of ['HEAD', ...commits.flatMap((line) => line.split(' '))]) {
    const there = git('ls-tree', '--name-only', `${commit}:migrations`).toString().trim().split('\n');
    if (there.length < here.size && there.every((name) => here.has(name))) return commit;
  }
  throw new Error(`None of the last ${MAX_COMMITS} commits that changed migrations lacks the newest migration.`);
}

function git(...args: string[]): Buffer {
  return execFileSync('git', args, { cwd: ROOT, maxBuffer: 256 * 1024 * 1024 });
}
