import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { onTestFinished } from 'vitest';
import { startJobRunner } from '../../src/jobs/runner/start-job-runner.ts';
import { systemClock, type Clock } from '../../src/clock.ts';

type Tasks = Parameters<typeof startJobRunner>[0]['tasks'];

interface RunnerSettings {
  databaseUrl: string;
  planOrder: (storefrontOrderId: string) => Promise<void>;
  concurrency?: number;
  pollIntervalMs?: number;
  log?: pino.Logger;
}

/** A clock whose pauses after failures are short. */
const impatient: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds > 1_000 ? milliseconds : 10, signal),
};

/** Starts a runner that knows only the task `plan_order` and stops when the test ends. */
export async function startTestRunner(settings: RunnerSettings): Promise<{ stop(): Promise<void> }> {
  const tasks: Pick<Tasks, 'plan_order'> = {
    plan_order: ({ storefrontOrderId }) => settings.planOrder(storefrontOrderId),
  };
  const runner = await startJobRunner({
    clock: impatient,
    databaseUrl: settings.databaseUrl,
    tasks: tasks as Tasks,
    concurrency: settings.concurrency ?? 4,
    log: settings.log ?? pino({ level: 'silent' }),
    // The interval is long, so a job that starts sooner must have been announced.
    pollIntervalMs: settings.pollIntervalMs ?? 60_000,
  });
  onTestFinished(() => runner.stop());
  return runner;
}

/** Creates a log and collects its entries, one per line. */
export function captureLog(): { log: pino.Logger; entries: Record<string, unknown>[] } {
  const entries: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void entries.push(JSON.parse(line) as Record<string, unknown>) };
  const log = pino({ level: 'debug', serializers: { error: pino.stdSerializers.err } }, stream);
  return { log, entries };
}

interface WaitingJob {
  id: string;
  key: string | null;
  attempts: number;
  max_attempts: number;
  locked_by: string | null;
  last_error: string | null;
  run_at: Date;
  payload: { storefrontOrderId: string };
}

/** Returns the jobs in the queue, oldest first. */
export function listJobs(db: DataSource): Promise<WaitingJob[]> {
  return db.query(`select j.*, p.payload from graphile_worker.jobs j
                   join graphile_worker._private_jobs p on p.id = j.id order by j.id`);
}
