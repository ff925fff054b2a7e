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
  stop(): Promise<void>;
}

/** Starts what the process' ROLE names: the doors, the jobs with the clock of the polls, or both. */
export async function runApp(app: App, options: { databaseUrl: string } & DoorOptions): Promise<RunningApp> {
  const { databaseUrl, ...doorOptions } = options;
  const { role, pollSeconds } = app.config;
  await using started = new AsyncDisposableStack();
  if (role !== 'web') {
    const runner = await startJobRunner({ databaseUrl, tasks: toTasks(app), concurrency: CONCURRENCY, log: app.log });
    started.defer(() => runner.stop());
    const stopSchedule = startSchedule(app, pollSeconds);
    started.defer(stopSchedule);
  }
  let url: string | null = null;
  if (role !== 'worker') {
    const doors = await listen(app, doorOptions);
    // Deferred last, closed first: nothing new comes in while the rest ends.
    started.defer(() => doors.close());
    url = doors.url;
  }
  const kept = started.move();
  return { url, stop: () => kept.disposeAsync() };
}
