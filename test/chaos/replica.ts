import type { ChildProcess } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { killProcess, spawnProgram } from './child-process.ts';
import { say } from './say.ts';

/** As long as whatever runs containers takes to start one again that ended by itself. */
const RESTART_MS = 1_000;

/** One process of the app, under a supervisor that starts it again when it ends. */
export interface Replica {
  name: string;
  port: number;
  /** It runs and is not frozen; it may be starting. */
  isUp(): boolean;
  isFrozen(): boolean;
  /** How often it ended although it had started and nobody killed it. */
  crashes(): number;
  /** Kills it and starts it again after that time; resolves when it is dead. */
  killAndRestart(afterMs: number): Promise<void>;
  freeze(): void;
  thaw(): void;
  start(): void;
  /** Kills it for good, until `start`. */
  stop(): Promise<void>;
}

interface ReplicaOptions {
  name: string;
  port: number;
  environment: Record<string, string>;
  logFile: string;
}

/** A replica that does not run yet. */
export function createReplica({ name, port, environment, logFile }: ReplicaOptions): Replica {
  let child: ChildProcess | null = null;
  let wanted = false;
  let frozen = false;
  let restartMs = RESTART_MS;
  let crashes = 0;
  let timer: NodeJS.Timeout | undefined;

  function launch(): void {
    const logged = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    const started = spawnProgram({
      script: 'src/main.ts',
      environment: { ...environment, PORT: String(port) },
      logFile,
    });
    child = started;
    // Also when it could not be started at all.
    started.once('error', (error) => say(`${name}: ${error.message}`));
    started.once('exit', (code, signal) => {
      child = null;
      frozen = false;
      if (signal !== 'SIGKILL') {
        // One that is still starting may give up while the database is away; one that runs may not.
        const hadStarted = readFileSync(logFile).subarray(logged).includes('Platen listens on');
        crashes += Number(hadStarted);
        say(`${name} ${hadStarted ? 'crashed' : 'did not start'} (${signal ?? code})`);
      }
      if (wanted) timer = setTimeout(launch, restartMs);
      restartMs = RESTART_MS;
    });
  }

  return {
    name,
    port,
    isUp: () => child !== null && !frozen,
    isFrozen: () => frozen,
    crashes: () => crashes,
    async killAndRestart(afterMs) {
      if (child === null) return;
      restartMs = afterMs;
      await killProcess(child);
    },
    freeze() {
      frozen = child?.kill('SIGSTOP') ?? false;
    },
    thaw() {
      if (frozen) child?.kill('SIGCONT');
      frozen = false;
    },
    start() {
      if (wanted) return;
      wanted = true;
      launch();
    },
    async stop() {
      wanted = false;
      clearTimeout(timer);
      if (child !== null) await killProcess(child);
    },
  };
}
