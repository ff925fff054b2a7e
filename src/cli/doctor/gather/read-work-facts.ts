import type { App } from '../../../app.ts';
import { countFailedJobs } from '../../../jobs/count-failed-jobs.ts';
import { listFailedJobs } from '../../../jobs/list-failed-jobs.ts';
import { readQueue } from '../../../jobs/read-queue.ts';
import { countRunners } from '../../../jobs/runner/count-runners.ts';
import { countLatePrivacyRequests } from '../../../orders/privacy/count-late-requests.ts';
import { readPollPasses } from '../../../polls/read-poll-passes.ts';
import { countPaymentsRefused } from '../../../shops/print-account/print-account.ts';
import { readQuietUntil } from '../../../shops/print-account/read-quiet-until.ts';
import type { AlertFacts, PollFacts, QueueFacts } from '../find/find-queue-problems.ts';

const MAX_TASKS = 5;

/** Reads the job queue. */
export async function readQueueFacts({ db }: App): Promise<QueueFacts> {
  const failed = await listFailedJobs(db, MAX_TASKS);
  return {
    runners: await countRunners(db),
    ...(await readQueue(db)),
    failedJobs: await countFailedJobs(db),
    failedTasks: [...new Set(failed.map(({ task, code }) => `${task} (${code})`))],
  };
}

/** Reads the polls. */
export async function readPollFacts(app: App): Promise<PollFacts> {
  const { passes } = await readPollPasses(app);
  const [installed] = await app.db.query<{ seconds: number | null }[]>(
    `select extract(epoch from clock_timestamp() - min(installed_at))::float8 as seconds from shops where state = 'installed'`,
  );
  return { passes, installedSeconds: installed?.seconds ?? null };
}

/** Reads the states that require someone to act or that stop printing. */
export async function readAlertFacts(app: App): Promise<AlertFacts> {
  return {
    latePrivacyRequests: await countLatePrivacyRequests(app),
    refusedPayments: await countPaymentsRefused(app),
    quietUntil: await readQuietUntil(app),
  };
}
