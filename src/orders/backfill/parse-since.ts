import { InvalidInputError } from '../../errors.ts';
import { startOfDay } from '../plan/next-daily-release.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * The moment that `since` names: a day such as 2026-11-21, which begins at midnight by the clocks of the time zone (null: UTC), or an
 * ISO moment with its offset. Throws InvalidInputError, also for a time to come.
 */
export function parseSince(since: string, timeZone: string | null, now: Date): Date {
  const moment = DAY.test(since) ? startOfDay(since, timeZone) : toMoment(since);
  if (moment === null || !isSameDay(since)) {
    const message = 'since: must be a day such as 2026-11-21, or a moment such as 2026-11-21T08:00:00Z.';
    throw new InvalidInputError('since', message);
  }
  if (moment > now) throw new InvalidInputError('since', 'since: must not be a time to come.');
  return moment;
}

function toMoment(since: string): Date | null {
  const moment = new Date(MOMENT.test(since) ? since : Number.NaN);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** The 31st of a month that has 30 days is no day. */
function isSameDay(since: string): boolean {
  const day = new Date(`${since.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(since.slice(0, 10));
}
