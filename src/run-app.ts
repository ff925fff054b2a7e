import type { App } from './app.ts';
import { listen, listenForOps, type DoorOptions } from './http/server.ts';
import { startJobRunner } from './jobs/runner/start-job-runner.ts';
import { startSchedule } from './polls/schedule.ts';
import { nameShops } from './shops/name-shops.ts';
import { findKeyProblem } from './shops/print-account/find-key-problem.ts';
import { toTasks } from './tasks.ts';

/** Jobs at a time in one process: they wait for the network, not for the processor. */
const CONCURRENCY = 10;

export interface RunningApp {
  /** Where the doors are; those of a process that only works are health and metrics. */
  url: string;
  /** Begins nothing new and ends what runs: doors within 8 s, jobs within 15 s, which are given back if they take longer. */
  stop(): Promise<void>;
}

interface RunOptions extends Omit<DoorOptions, 'keyProblem'> {
  databaseUrl: string;
  /** False: no clock enqueues the polls, as a test has it that runs them itself. */
  polls?: boolean;
}

/**
 * Starts what the process' ROLE names: the doors, the jobs with the clock of the polls, or both. With the wrong ENCRYPTION_KEY no job
 * runs, since each would fail, or store something that nobody else can read.
 */
export async function runApp(app: App, options: RunOptions): Promise<RunningApp> {
  const { databaseUrl, polls = true, ...doorOptions } = options;
  const { role, pollSeconds } = app.config;
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => void (await Promise.all(stops.map((stop) => stop())));
  try {
    const keyProblem = await findKeyProblem(app);
    if (keyProblem !== null) app.log.error(`${keyProblem} No job runs in this process until it is restarted.`);
    if (role !== 'web' && keyProblem === null) {
      const runner = await startJobRunner({
        databaseUrl,
        tasks: toTasks(app),
        concurrency: CONCURRENCY,
        log: app.log,
        nameShop: nameShops(app),
      });
      stops.push(() => runner.stop());
      if (polls) {
        const stopSchedule = startSchedule(app, pollSeconds);
        stops.push(async () => stopSchedule());
      }
    }
    const doors =
      role === 'worker' ? await listenForOps(app, doorOptions) : await listen(app, { ...doorOptions, keyProblem });
    stops.push(() => doors.close());
    // All at once: nothing new begins anywhere, and work under way has the whole time to end.
    return { url: doors.url, stop: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
