import './world/globals.ts';
import { createWriteStream } from 'node:fs';
import { openDatabases } from './databases.ts';
import { trySeed, type Tried } from './try-seed.ts';

/** A process that runs seeds for `main.ts`, one after another. It ends when its parent disconnects. */

export interface Task {
  seed: number;
  orders: number;
  limit: number | null;
  /** How often the seed runs. The hashes of its runs must be equal. */
  runs: number;
  /** Whether to find the fewest events with which a failing seed still fails. */
  shrinks: boolean;
  trace: string | null;
}

export type Reply = { kind: 'ready' } | { kind: 'tried'; tried: Tried; seconds: number };

const databases = await openDatabases();
const reply = (message: Reply): void => void process.send?.(message);

async function run({ trace, shrinks, runs, ...options }: Task): Promise<void> {
  const begun = process.hrtime.bigint();
  const file = trace === null ? null : createWriteStream(`${trace}.${options.seed}`);
  const write =
    file === null ? () => undefined : (line: string) => void file.write(`${line.replaceAll(/\s+/g, ' ')}\n`);
  const tried = await trySeed(databases, { ...options, write }, { shrinks, runs });
  file?.end();
  reply({ kind: 'tried', tried, seconds: Number(process.hrtime.bigint() - begun) / 1e9 });
}

process.on('message', (task: Task) => void run(task));
process.once('disconnect', () => {
  // A seed that is still running loses its database, which no longer matters.
  process.on('uncaughtException', () => undefined);
  void databases.close().finally(() => process.exit());
});
reply({ kind: 'ready' });
