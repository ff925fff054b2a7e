import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import type { Built } from './run-stages.ts';
import { readExecForm, readPairs } from './read-dockerfile.ts';

const run = promisify(execFile);

/** A process that runs as it would run in the image. */
export interface Container {
  url: string;
  output(): { stdout: string; stderr: string };
  /** Waits until /readyz returns 200. Throws the output if the process ends first. */
  untilReady(): Promise<void>;
  /** Runs the image's health check and returns its exit code. */
  checkHealth(): Promise<number>;
  /** Sends the stop signal. Returns the exit code and how long stopping took. */
  stop(): Promise<{ code: number | null; ms: number }>;
  untilExit(): Promise<number | null>;
}

const READY_MS = 60_000;

/** The mounts that are missing or read-only in a container with a read-only root file system. */
const READ_ONLY = `
  /bin/mount --bind "$PLATEN_HOME" "$PLATEN_HOME"
  for folder in / /tmp /var/tmp /dev/shm /run; do
    /bin/mountpoint -q "$folder" && /bin/mount -o remount,bind,ro "$folder"
  done
  exec /usr/bin/setpriv --reuid="$0" --regid="$0" --clear-groups "$@"`;

/** Whether this process may give a child process its own mounts. */
export function canMount(): boolean {
  return process.getuid?.() === 0 && spawnSync('/usr/bin/unshare', ['--mount', 'true']).status === 0;
}

/**
 * Starts the image's CMD, or another command, in its folder and environment, and as its user if this process may switch users. With
 * `readOnly`, which requires `canMount`, the whole file system is read-only except for PLATEN_HOME.
 */
export function runContainer(
  image: Built,
  environment: Record<string, string>,
  { readOnly = false, command = readExecForm(lastOf(image, 'CMD')) } = {},
): Container {
  const env = toEnvironment(image, environment);
  const options = { cwd: join(image.folder, image.workdir), env, ...toUser(image) };
  const [program = '', ...args] = command;
  const [uid = ''] = lastOf(image, 'USER').split(':');
  const child = readOnly
    ? spawn('/usr/bin/unshare', ['--mount', '/bin/sh', '-ec', READ_ONLY, uid, program, ...args], {
        cwd: options.cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    : spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
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
          if (status !== 200) throw new Error(`/readyz returned ${status}.`);
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

/** Runs another program of the image and returns its standard output. Throws if the program fails. */
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

/**
 * Returns the image's environment, with its paths in the image's folder, plus the given variables. Variables of this process are not
 * included.
 */
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

/** Returns the text of the last instruction with this name. */
export function lastOf({ instructions }: Built, name: string): string {
  const found = instructions.findLast((one) => one.name === name);
  if (!found) throw new Error(`The image has no ${name} instruction.`);
  return found.text;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
