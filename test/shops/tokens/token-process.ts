import { pino } from 'pino';
import { readConfig } from '../../../src/config.ts';
import { startJobRunner } from '../../../src/jobs/runner/start-job-runner.ts';
import { openApp } from '../../../src/open-app.ts';
import { toTasks } from '../../../src/tasks.ts';
import { systemClock } from '../../../src/clock.ts';

/**
 * A worker process that runs jobs until it is killed. Its first argument is the number of concurrent jobs. The process reads its
 * configuration from the environment, and writes a line to standard output when it is ready.
 */
const concurrency = Number(process.argv[2]);
const log = pino({ level: 'silent' });
const { app, databaseUrl } = await openApp(readConfig(process.env), log, { poolSize: 10, applicationName: 'platen' });
await startJobRunner({ clock: systemClock, databaseUrl, tasks: toTasks(app), concurrency, pollIntervalMs: 200, log });
process.stdout.write('ready\n');
