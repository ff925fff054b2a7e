import { InvalidInputError } from '../../errors.ts';
import { parseMoment } from '../facts/parse-moment.ts';

/**
 * Parses `since`: an ISO date and time with an offset, or a day such as 2026-11-21, which starts at midnight in `timeZone` (null: UTC).
 * Throws InvalidInputError for an invalid value or a time in the future.
 */
export function parseSince(since: string, timeZone: string | null, now: Date): Date {
  const moment = parseMoment('since', since, timeZone);
  if (moment > now) throw new InvalidInputError('since', 'since: must not be in the future.');
  return moment;
}
