import { pino } from 'pino';
import { readConfig } from '../../../src/config.ts';
import { startJobRunner } from '../../../src/jobs/runner/start-job-runner.ts';
import { openApp } from '../../../src/open-app.ts';
import { toTasks } from '../../../src/tasks.ts';

/**
 * A worker process that runs the given number of jobs at a time until it is killed. It reports when it is ready. Its
 * configuration comes from its environment.
 */
const concurrency = Number(process.argv[2]);
const log = pino({ level: 'silent' });
const { app, databaseUrl } = await openApp(readConfig(process.env), log, { poolSize: 10, applicationName: 'platen' });
await startJobRunner({ databaseUrl, tasks: toTasks(app), concurrency, pollIntervalMs: 200, log });
process.stdout.write('ready\n');
