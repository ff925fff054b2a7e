import { pino } from 'pino';
import { startJobRunner } from '../../src/jobs/runner/start-job-runner.ts';
import { systemClock } from '../../src/clock.ts';

/**
 * A process that runs the jobs of the given database and reports each job that it starts. The order `poison` kills the process. With the
 * argument `hangs`, no job ends.
 */
const [databaseUrl = '', hangs] = process.argv.slice(2);
const tasks = {
  plan_order: async ({ storefrontOrderId }: { storefrontOrderId: string }) => {
    if (storefrontOrderId === 'poison') process.kill(process.pid, 'SIGKILL');
    process.stdout.write(`${storefrontOrderId}\n`);
    if (hangs !== undefined) await new Promise(() => undefined);
  },
};
await startJobRunner({
  clock: systemClock,
  databaseUrl,
  tasks: tasks as unknown as Parameters<typeof startJobRunner>[0]['tasks'],
  concurrency: 4,
  pollIntervalMs: 200,
  log: pino({ level: 'silent' }),
});
