import type { App } from '../../../app.ts';
import { countFailedJobs } from '../../../jobs/count-failed-jobs.ts';
import { listFailedJobs } from '../../../jobs/list-failed-jobs.ts';
import { taskNames } from '../../../jobs/registry.ts';
import { readQueue } from '../../../jobs/read-queue.ts';
import { countRunners } from '../../../jobs/runner/count-runners.ts';
import { countLatePrivacyRequests } from '../../../orders/privacy/count-late-requests.ts';
import { countPaymentsRefused } from '../../../shops/print-account/print-account.ts';
import { readRebuildProgress } from '../../../orders/rebuild/plan-unreconciled-orders.ts';
import { readQuietUntil } from '../../../shops/print-account/read-quiet-until.ts';
import type { AlertFacts, PollFacts, QueueFacts } from '../find/find-queue-problems.ts';
import { isActiveSql } from '../../../database/is-active.ts';

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

/**
 * Reads the polls. If a poll runs per shop, reads the active shop whose last success was longest ago.
 */
export async function readPollFacts(app: App): Promise<PollFacts> {
  const passes = await app.db.query<PollFacts['passes']>(
    `select distinct on (pass) pass, shop, "lastFound", extract(epoch from $1::timestamptz - at)::float8 as "lastSuccess"
     from (select p.pass, s.domain as shop, p.last_found as "lastFound",
         greatest(p.last_succeeded_at, s.installed_at, s.signed_in_at) as at
       from poll_passes p left join shops s on s.id = p.shop_id
       where p.pass = any($2) and (p.shop_id is null or ${isActiveSql()})) as polled
     order by pass, at nulls first`,
    // A pass that this version does not know would look overdue.
    [app.clock.now(), taskNames],
  );
  const [installed] = await app.db.query<{ seconds: number | null }[]>(
    `select extract(epoch from $1::timestamptz - min(installed_at))::float8 as seconds from shops s where ${isActiveSql()}`,
    [app.clock.now()],
  );
  return { passes, installedSeconds: installed?.seconds ?? null };
}

/** Reads the states that require someone to act or that stop printing. */
export async function readAlertFacts(app: App): Promise<AlertFacts> {
  return {
    latePrivacyRequests: await countLatePrivacyRequests(app),
    refusedPayments: await countPaymentsRefused(app),
    quietUntil: await readQuietUntil(app),
    rebuild: await readRebuildProgress(app),
  };
}
