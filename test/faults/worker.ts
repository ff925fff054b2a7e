import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withEnvironment } from '../../src/config.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const END_WITH_PARENT = fileURLToPath(new URL('../chaos/stage/end-with-parent.ts', import.meta.url));

/** A process of the app, started as an operator would start it. */
export interface AppProcess {
  child: ChildProcess;
  /** Returns everything that the process has written. */
  output(): string;
  isAlive(): boolean;
  /** Ends the process if it is alive, and removes its home. */
  end(): Promise<void>;
}

/** Starts Platen in a separate process, with its own home and this environment. Its standard output may go to an open file. */
export function startAppProcess(environment: Record<string, string>, stdout: 'pipe' | number = 'pipe'): AppProcess {
  const home = mkdtempSync(join(tmpdir(), 'platen-process-'));
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, MAIN], {
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
    env: withEnvironment({ LOG_LEVEL: 'warn', PLATEN_HOME: home, ...environment }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => void (output += String(chunk)));
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    child,
    isAlive,
    output: () => output,
    async end() {
      if (isAlive()) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}
