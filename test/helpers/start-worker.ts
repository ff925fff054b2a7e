import type { App } from '../../src/app.ts';
import { startJobRunner } from '../../src/jobs/runner/start-job-runner.ts';
import { toTasks } from '../../src/tasks.ts';
import { systemClock } from '../../src/clock.ts';

/** Runs the jobs of the app's database, as a separate worker process does, until it is stopped. */
export async function startWorker(app: App): ReturnType<typeof startJobRunner> {
  const [{ name }]: [{ name: string }] = await app.db.query('select current_database() as name');
  const { url } = app.db.options as { url: string };
  const databaseUrl = url.replace(/[^/]*$/, name);
  return startJobRunner({ clock: systemClock, databaseUrl, tasks: toTasks(app), concurrency: 2, log: app.log });
}
