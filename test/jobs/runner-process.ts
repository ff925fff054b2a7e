import { pino } from 'pino';
import { startJobRunner } from '../../src/jobs/runner/start-job-runner.ts';
import { systemClock } from '../../src/clock.ts';

/**
 * A process that runs the jobs of the given database. The process reports each job that it starts, but never finishes a job. A test kills
 * the process.
 */
const [databaseUrl = ''] = process.argv.slice(2);
const tasks = {
  plan_order: async ({ storefrontOrderId }: { storefrontOrderId: string }) => {
    process.stdout.write(`${storefrontOrderId}\n`);
    await new Promise(() => undefined);
  },
};
await startJobRunner({
  clock: systemClock,
  databaseUrl,
  tasks: tasks as unknown as Parameters<typeof startJobRunner>[0]['tasks'],
  concurrency: 2,
  log: pino({ level: 'silent' }),
});
