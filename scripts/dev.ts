import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildAdmin } from './build-admin.ts';

/**
 * Implements `npm run dev`: runs Platen and restarts it when a file is saved. The script polls the files, because `node --watch-path`
 * misses later saves once an editor has replaced a file by renaming another one.
 */
const WATCHED = ['src', 'sandbox', 'migrations', 'shopify.app.toml'];
const LOOK_MS = 300;

function readState(): string {
  return WATCHED.filter((path) => existsSync(path))
    .flatMap(listFiles)
    .map((file) => {
      // A file may disappear between the listing and this check.
      const found = statSync(file, { throwIfNoEntry: false });
      return `${file} ${found?.mtimeMs} ${found?.size} ${found?.ino}`;
    })
    .join('\n');
}

function listFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function start(): ChildProcess {
  return spawn(process.execPath, ['src/main.ts'], { stdio: 'inherit' });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

await buildAdmin();
let state = readState();
let child = start();
while (!stopping.signal.aborted) {
  await delay(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  const next = readState();
  if (next === state || stopping.signal.aborted) continue;
  process.stderr.write('A file has changed. Restarting Platen.\n');
  await stop(child);
  // Changes saved while Platen is stopping are part of the next start.
  state = readState();
  await buildAdmin().catch((error: unknown) =>
    process.stderr.write(`The pages could not be built: ${String(error)}\n`),
  );
  child = start();
}
await stop(child);
