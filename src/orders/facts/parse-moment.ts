import { InvalidInputError } from '../../errors.ts';
import { toStorableTime } from '../../to-storable-time.ts';
import { startOfDay } from './shop-clock.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses an ISO time with its offset, or a day such as 2026-11-21 in the time zone (null: UTC). A day means the midnight when the day
 * begins or, with `end`, the midnight when it ends. Throws InvalidInputError.
 */
export function parseMoment(
  field: string,
  text: string,
  timeZone: string | null,
  { end = false }: { end?: boolean } = {},
): Date {
  const moment = DAY.test(text) ? startOfDay(end ? nextDay(text) : text, timeZone) : toMoment(text);
  const storable = moment && toStorableTime(moment);
  if (storable !== null && isCalendarDay(text)) return storable;
  throw new InvalidInputError(
    field,
    `${field}: must be a day such as 2026-11-21, or a time such as 2026-11-21T08:00:00Z.`,
  );
}

function toMoment(text: string): Date | null {
  const moment = new Date(MOMENT.test(text) ? text : Number.NaN);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** Returns the next day, or an empty text if the day is invalid. */
function nextDay(day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(midnight) ? '' : new Date(midnight + DAY_MS).toISOString().slice(0, 10);
}

/** Returns whether the text's day exists in the calendar. June 31, for example, does not. */
function isCalendarDay(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}
