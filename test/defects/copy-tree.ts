import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildAdmin } from '../../scripts/build-admin.ts';
import { findPostmaster } from '../../src/database/embedded/find-postmaster.ts';

/** A replacement of a text that the file contains exactly once. */
export interface Edit {
  file: string;
  find: string;
  replace: string;
}

/** A copy of the working tree that may be changed. */
export interface Tree {
  /** The folder of the copy, which has the structure of the repository. */
  folder: string;
  /** The folder for temporary files of programs that run in the copy. */
  temporary: string;
  /** Applies the edits and returns a function that undoes them. Throws if an edit does not match. */
  edit(edits: readonly Edit[]): Promise<() => Promise<void>>;
  /** Ends databases that are still running and removes everything. */
  remove(): Promise<void>;
}

/** The root of the working tree. */
export const ROOT = join(import.meta.dirname, '../..');

const COPIED = [
  'build',
  'src',
  'scripts',
  'sandbox',
  'test',
  'migrations',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  'shopify.app.toml',
];
/** The file that the build of the pages writes last. */
const PAGES = 'build/admin/server/render.js';
const ENDS_IN_MS = 30_000;

/** Copies the files that the tests need to a new temporary folder. The packages are shared with the working tree. */
export async function copyTree(): Promise<Tree> {
  const home = await mkdtemp(join(tmpdir(), 'platen-defects-'));
  const [folder, temporary] = [join(home, 'tree'), join(home, 'temporary')];
  await Promise.all([mkdir(folder), mkdir(temporary)]);
  // If this process runs as root, PostgreSQL runs as another user, which must be able to enter these folders.
  await Promise.all([home, temporary].map((path) => chmod(path, 0o711)));
  // The times show that the copied build of the pages is current.
  await buildAdmin();
  for (const name of COPIED)
    await cp(join(ROOT, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    temporary,
    edit: (edits) => editFiles(folder, edits),
    async remove() {
      await endDatabases(temporary);
      await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** Returns whether the text contains `find` exactly once. */
export function occursOnce(text: string, find: string): boolean {
  return text.split(find).length === 2;
}

async function editFiles(folder: string, edits: readonly Edit[]): Promise<() => Promise<void>> {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const path = join(folder, file);
    const text = after.get(path) ?? (await readFile(path, 'utf8'));
    if (!occursOnce(text, find)) throw new Error(`${file} does not contain this exactly once: ${find}`);
    if (!before.has(path)) before.set(path, text);
    after.set(path, text.split(find).join(replace));
  }
  const write = async (texts: Map<string, string>): Promise<void> => {
    for (const [path, text] of texts) await writeFile(path, text);
    // The edits do not concern the pages, so a new build would only take time.
    await utimes(join(folder, PAGES), new Date(), new Date());
  };
  await write(after);
  return () => write(before);
}

/** Ends the PostgreSQL servers of killed nets. PostgreSQL runs in its own session, so it does not end with the net. */
async function endDatabases(temporary: string): Promise<void> {
  const files = await readdir(temporary, { recursive: true });
  const folders = files.filter((name) => name.endsWith('postmaster.pid')).map((name) => dirname(join(temporary, name)));
  const until = Date.now() + ENDS_IN_MS;
  for (const data of folders) {
    const server = await findPostmaster(data);
    if (server === null) continue;
    process.kill(server.pid, 'SIGQUIT');
    while (Date.now() < until && (await findPostmaster(data))?.pid === server.pid) await delay(50);
  }
}
