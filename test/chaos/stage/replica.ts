import type { ChildProcess } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { killProcess, spawnProgram } from './child-process.ts';
import { say } from '../say.ts';

/** Roughly the time that a container platform takes to restart a container. */
const RESTART_MS = 1_000;

/** One process of the app, with a supervisor that restarts it when it ends. */
export interface Replica {
  name: string;
  port: number;
  /** Returns whether the replica is running and not frozen. The replica may still be starting. */
  isUp(): boolean;
  isFrozen(): boolean;
  /** Returns how often the replica ended after its start without being killed. */
  crashes(): number;
  /** Kills the replica and restarts it after `afterMs`. Resolves when the replica has exited. */
  killAndRestart(afterMs: number): Promise<void>;
  freeze(): void;
  thaw(): void;
  start(): void;
  /** Kills the replica and does not restart it. */
  stop(): Promise<void>;
}

interface ReplicaOptions {
  name: string;
  port: number;
  environment: Record<string, string>;
  logFile: string;
  /** The folder that contains the replica's code. The default is this repository. */
  root?: string | undefined;
}

/** Creates a replica without starting it. */
export function createReplica({ name, port, environment, logFile, root }: ReplicaOptions): Replica {
  let child: ChildProcess | null = null;
  let wanted = false;
  let frozen = false;
  let restartMs = RESTART_MS;
  let crashes = 0;
  let timer: NodeJS.Timeout | undefined;

  function launch(): void {
    const logged = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    const started = spawnProgram({
      root,
      script: 'src/main.ts',
      environment: { ...environment, PORT: String(port) },
      logFile,
    });
    child = started;
    // Without this listener, a failed start would throw.
    started.once('error', (error) => say(`${name}: ${error.message}`));
    started.once('exit', (code, signal) => {
      child = null;
      frozen = false;
      if (signal !== 'SIGKILL') {
        // A replica that is still starting may exit while the database is down, but a running replica must not.
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
