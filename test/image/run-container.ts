import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import type { Built } from './carry-out-stages.ts';
import { readExecForm, readPairs } from './read-dockerfile.ts';

const run = promisify(execFile);

/** A process that runs as the image would have it run. */
export interface Container {
  url: string;
  output(): { stdout: string; stderr: string };
  /** Waits until /readyz is answered 200; throws what was written when the process ends before. */
  untilReady(): Promise<void>;
  /** The exit code of the image's health check. */
  checkHealth(): Promise<number>;
  /** Sends the stop signal, or waits when the process ends by itself; the exit code and how long it took. */
  stop(): Promise<{ code: number | null; ms: number }>;
  untilExit(): Promise<number | null>;
}

const READY_MS = 60_000;

/** Starts the image's CMD in its folder with its environment, as its user where this process may change to it. */
export function runContainer(image: Built, environment: Record<string, string>): Container {
  const env = toEnvironment(image, environment);
  const options = { cwd: join(image.folder, image.workdir), env, ...toUser(image) };
  const [program = '', ...args] = readExecForm(lastOf(image, 'CMD'));
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const url = `http://127.0.0.1:${env['PORT']}`;
  return {
    url,
    output: () => output,
    async untilReady() {
      await vi.waitFor(
        async () => {
          if (hasEnded(child)) return;
          const { status } = await fetch(`${url}/readyz`);
          if (status !== 200) throw new Error(`/readyz answers ${status}.`);
        },
        { timeout: READY_MS, interval: 100 },
      );
      if (hasEnded(child)) throw new Error(`The container ended: ${output.stdout}${output.stderr}`);
    },
    async checkHealth() {
      const [check = '', ...rest] = readExecForm(lastOf(image, 'HEALTHCHECK').replace(/^CMD\s+/, ''));
      return run(check, rest, { ...options, timeout: 5_000 }).then(
        () => 0,
        (error: { code: number }) => error.code,
      );
    },
    async stop() {
      const begun = performance.now();
      child.kill(lastOf(image, 'STOPSIGNAL') as NodeJS.Signals);
      const [code] = await exited;
      return { code, ms: performance.now() - begun };
    },
    untilExit: async () => (await exited)[0],
  };
}

/** Runs another program of the image beside its CMD; its standard output. Throws when it fails. */
export async function runInImage(
  image: Built,
  command: string[],
  environment: Record<string, string>,
): Promise<string> {
  const [program = '', ...args] = command;
  const env = toEnvironment(image, environment);
  const cwd = join(image.folder, image.workdir);
  return (await run(program, args, { cwd, env, ...toUser(image), timeout: 60_000 })).stdout;
}

/** The image's own environment, its paths in the folder that stands for it, and what is given; nothing of this process. */
function toEnvironment(image: Built, environment: Record<string, string>): Record<string, string> {
  const own = readPairs(image.instructions, 'ENV');
  const placed = Object.entries(own).map(([key, value]) => [
    key,
    value.startsWith('/') ? join(image.folder, value) : value,
  ]);
  return { ...Object.fromEntries(placed), PATH: join(image.folder, 'usr/local/bin'), ...environment };
}

function toUser(image: Built): { uid: number; gid: number } | undefined {
  const [uid = 0, gid = 0] = lastOf(image, 'USER').split(':').map(Number);
  return process.getuid?.() === 0 ? { uid, gid } : undefined;
}

/** What the last instruction of a name says. */
export function lastOf({ instructions }: Built, name: string): string {
  const found = instructions.findLast((one) => one.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found.text;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
