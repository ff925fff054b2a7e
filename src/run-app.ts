import type { App } from './app.ts';
import { listen, listenForOps, type EndpointOptions } from './http/server.ts';
import { startJobRunner } from './jobs/runner/start-job-runner.ts';
import { startSchedule } from './polls/start-schedule.ts';
import { createDomainLookup } from './shops/create-domain-lookup.ts';
import { findKeyProblem } from './shops/print-account/find-key-problem.ts';
import { toTasks } from './tasks.ts';
import { untraced } from './tracing/work.ts';

/** Number of concurrent jobs in one process. Jobs mostly wait for the network, not for the processor. */
const CONCURRENCY = 10;

export interface RunningApp {
  /** The address of the endpoints. A process that only runs jobs serves only health and metrics there. */
  url: string;
  /** Stops accepting work and lets running work finish: requests within 8 s, jobs within 15 s. Jobs that take longer are released. */
  stop(): Promise<void>;
}

interface RunOptions extends Omit<EndpointOptions, 'keyProblem'> {
  databaseUrl: string;
  /** If false, polls are not scheduled. For tests that run the polls themselves. */
  polls?: boolean;
  /** How often workers look for jobs without a notice. See `startJobRunner`. */
  pollIntervalMs?: number;
}

/**
 * Starts the parts that the process's ROLE names: the endpoints, the jobs and poll schedule, or both. With the wrong ENCRYPTION_KEY, no
 * jobs run, because they would fail or store values that no other process can read.
 */
export async function runApp(app: App, options: RunOptions): Promise<RunningApp> {
  const { databaseUrl, polls = true, pollIntervalMs, trace = untraced, ...endpointOptions } = options;
  const { role, pollSeconds } = app.config;
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => void (await Promise.all(stops.map((stop) => stop())));
  try {
    const keyProblem = await findKeyProblem(app);
    if (keyProblem !== null) app.log.error(`${keyProblem} This process runs no jobs until it is restarted.`);
    if (role !== 'web' && keyProblem === null) {
      const runner = await startJobRunner({
        clock: app.clock,
        databaseUrl,
        ...(pollIntervalMs !== undefined && { pollIntervalMs }),
        tasks: toTasks(app),
        concurrency: CONCURRENCY,
        log: app.log,
        nameShop: createDomainLookup(app),
        trace,
      });
      stops.push(() => runner.stop());
      if (polls) {
        const stopSchedule = startSchedule(app, pollSeconds);
        stops.push(async () => stopSchedule());
      }
    }
    const endpoints =
      role === 'worker'
        ? await listenForOps(app, endpointOptions)
        : await listen(app, { ...endpointOptions, keyProblem, trace });
    stops.push(() => endpoints.close());
    // Everything stops at the same time: no new work starts anywhere, and running work has the full time to finish.
    return { url: endpoints.url, stop: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
