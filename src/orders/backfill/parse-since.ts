import { InvalidInputError } from '../../errors.ts';
import { parseMoment } from '../facts/parse-moment.ts';

/**
 * The moment that `since` names: a day such as 2026-11-21, which begins at midnight by the clocks of the time zone (null: UTC), or an
 * ISO moment with its offset. Throws InvalidInputError, also for a time to come.
 */
export function parseSince(since: string, timeZone: string | null, now: Date): Date {
  const moment = parseMoment('since', since, timeZone);
  if (moment > now) throw new InvalidInputError('since', 'since: must not be a time to come.');
  return moment;
}
