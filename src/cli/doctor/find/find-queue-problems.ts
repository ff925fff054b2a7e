import type { RebuildProgress } from '../../../orders/rebuild/plan-unreconciled-orders.ts';
import { findingsOf, type Finding } from '../finding.ts';
import { describeCount, describeRebuild } from '../../describe-count.ts';

const LATE_SECONDS = 300;
const VERY_LATE_SECONDS = 1_800;
const HOUR = 3_600;
const DAY = 86_400;

export interface QueueFacts {
  runners: number;
  due: number;
  oldestSeconds: number;
  failedJobs: number;
  /** The tasks of the latest failed jobs. */
  failedTasks: readonly string[];
}

/** Finds problems with the job queue. */
export function findQueueProblems({ runners, due, oldestSeconds, failedJobs, failedTasks }: QueueFacts): Finding[] {
  const { ok, warning, error } = findingsOf('queue');
  const found: Finding[] = [];
  if (runners === 0)
    found.push(
      error({
        subject: 'workers',
        message: 'No worker is running on this database, so no order is processed.',
        remedy:
          'Start a process with ROLE=worker or ROLE=all. If one is already running, its log and /readyz show the problem.',
      }),
    );
  if (oldestSeconds > LATE_SECONDS) {
    const problem = {
      subject: 'age',
      message: `${describeCount(due, 'job', ['is', 'are'])} due, and the oldest has been waiting for ${Math.round(oldestSeconds / 60)} minutes.`,
      remedy: 'Start more workers, and check the log for outages and slow statements.',
    };
    found.push(oldestSeconds > VERY_LATE_SECONDS ? error(problem) : warning(problem));
  }
  if (failedJobs > 0)
    found.push(
      warning({
        subject: 'failed jobs',
        message: `${describeCount(failedJobs, 'job', ['is', 'are'])} no longer retried. The latest: ${failedTasks.join(', ')}.`,
        remedy:
          'The log contains the error of each job. Fix the cause, and then retry the orders with "platen orders retry".',
      }),
    );
  if (found.length > 0) return found;
  return [
    ok({
      subject: 'jobs',
      message: `${describeCount(runners, 'worker', ['is', 'are'])} running, and ${describeCount(due, 'job', ['is', 'are'])} due.`,
    }),
  ];
}

export interface PollFacts {
  /** `shop` is null if the poll covers all shops at once. `lastSuccess` is in seconds, or null if the poll has never succeeded. */
  passes: readonly { pass: string; shop: string | null; lastSuccess: number | null; lastFound: number }[];
  /** The seconds since the first shop was installed, during which the polls could run. Null if no shop is installed. */
  installedSeconds: number | null;
}

/** The polls that run once a day. All polls that are in neither set run every few minutes. */
const DAILY: ReadonlySet<string> = new Set([
  'catch_up_stock',
  'catch_up_link_metafields',
  'check_other_app',
  'check_stuck',
  'check_news',
]);
const HOURLY: ReadonlySet<string> = new Set(['catch_up_store_products']);

/** Finds polls that have not succeeded for too long, and orders that have no next step. */
export function findPollProblems({ passes, installedSeconds }: PollFacts): Finding[] {
  const { ok, warning, error } = findingsOf('polls');
  const found: Finding[] = [];
  for (const { pass, shop, lastSuccess } of passes) {
    const limit = toLimit(pass);
    const age = lastSuccess ?? installedSeconds ?? 0;
    if (age > limit)
      found.push(
        warning({
          subject: pass,
          message: `The poll ${pass} has not succeeded${shop === null ? '' : ` in ${shop}`} for ${describeAge(age)}. Changes that no webhook reported are not found.`,
          remedy: 'Check that a worker is running, and look for the poll in the log.',
        }),
      );
  }
  if (passes.length === 0 && (installedSeconds ?? 0) > HOUR)
    found.push(
      warning({
        subject: 'polls',
        message: 'No poll has ever run, although a shop has been installed for more than an hour.',
        remedy: 'Start a process with ROLE=worker or ROLE=all.',
      }),
    );
  const stuck = passes.find(({ pass }) => pass === 'check_stuck')?.lastFound ?? 0;
  if (stuck > 0)
    found.push(
      error({
        subject: 'stuck print orders',
        message: `${describeCount(stuck, 'print order', ['has', 'have'])} no next step. The log of the last daily check has details.`,
        remedy: 'Plan the orders again, or retry them with "platen orders retry".',
        fix: { name: 'plan_lost_orders' },
      }),
    );
  if (found.length > 0) return found;
  return [ok({ subject: 'polls', message: `All polls have succeeded recently (${passes.length}).` })];
}

function toLimit(pass: string): number {
  if (DAILY.has(pass)) return 2 * DAY;
  return HOURLY.has(pass) ? 3 * HOUR : HOUR;
}

function describeAge(seconds: number): string {
  return seconds < 2 * DAY
    ? describeCount(Math.round(seconds / HOUR), 'hour')
    : describeCount(Math.round(seconds / DAY), 'day');
}

export interface AlertFacts {
  latePrivacyRequests: number;
  refusedPayments: number;
  quietUntil: Date | null;
  rebuild: RebuildProgress | null;
}

/** Finds states that require someone to act or that stop printing. */
export function findAlerts({ latePrivacyRequests, refusedPayments, quietUntil, rebuild }: AlertFacts): Finding[] {
  const { ok, warning, error } = findingsOf('alerts');
  const found: Finding[] = [];
  if (quietUntil !== null)
    found.push(
      warning({
        subject: 'quiet time',
        message: `The database was restored or moved, so nothing is sent to print before ${quietUntil.toISOString()}.`,
        remedy: 'Wait, or end the quiet time with "platen restored --end" (docs/operators/back-up.md).',
      }),
    );
  if (rebuild !== null)
    found.push(
      warning({
        subject: 'restore',
        message: describeRebuild(rebuild),
        remedy: 'Wait. Every five minutes, Platen rebuilds up to 100 orders, latest first (docs/operators/back-up.md).',
      }),
    );
  if (latePrivacyRequests > 0)
    found.push(
      error({
        subject: 'privacy requests',
        message: `${describeCount(latePrivacyRequests, 'privacy request', ['has', 'have'])} been open for 20 days or more. Each is due within 30 days.`,
        remedy: 'List them with "platen privacy list", and complete them (docs/operators/privacy.md).',
      }),
    );
  if (refusedPayments > 0)
    found.push(
      error({
        subject: 'payments',
        message: `The print service refuses the payments of ${describeCount(refusedPayments, 'print account')}, and the affected orders wait.`,
        remedy: 'Ask the merchants to pay at the print service. The orders resume afterward.',
      }),
    );
  return found.length > 0 ? found : [ok({ subject: 'alerts', message: 'No action is needed.' })];
}
