import type { App } from './app.ts';
import { listen, type DoorOptions } from './http/server.ts';
import { startJobRunner } from './jobs/runner.ts';
import { startSchedule } from './schedule.ts';
import { toTasks } from './tasks.ts';

/** Jobs at a time in one process: they wait for the network, not for the processor. */
const CONCURRENCY = 10;

export interface RunningApp {
  /** Where the doors are; null in a process that only works. */
  url: string | null;
  /** Begins nothing new and ends what runs: doors within 8 s, jobs within 15 s, which are given back if they take longer. */
  stop(): Promise<void>;
}

interface RunOptions extends DoorOptions {
  databaseUrl: string;
  /** False: no clock enqueues the polls, as a test has it that runs them itself. */
  polls?: boolean;
}

/** Starts what the process' ROLE names: the doors, the jobs with the clock of the polls, or both. */
export async function runApp(app: App, options: RunOptions): Promise<RunningApp> {
  const { databaseUrl, polls = true, ...doorOptions } = options;
  const { role, pollSeconds } = app.config;
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => void (await Promise.all(stops.map((stop) => stop())));
  let url: string | null = null;
  try {
    if (role !== 'web') {
      const runner = await startJobRunner({ databaseUrl, tasks: toTasks(app), concurrency: CONCURRENCY, log: app.log });
      stops.push(() => runner.stop());
      if (polls) {
        const stopSchedule = startSchedule(app, pollSeconds);
        stops.push(async () => stopSchedule());
      }
    }
    if (role !== 'worker') {
      const doors = await listen(app, doorOptions);
      stops.push(() => doors.close());
      url = doors.url;
    }
  } catch (error) {
    await stopAll();
    throw error;
  }
  // All at once: nothing new is begun anywhere, and what is under way has the whole time.
  return { url, stop: stopAll };
}
