import { clockOf, toMoment } from '../../facts/shop-clock.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the next moment after `after` when clocks in the time zone show `timeOfDay` (such as `18:00`). If clocks skip that time when they
 * go forward, the release is shifted by the skipped period. If the time occurs twice, the first occurrence counts. An unknown time zone is
 * treated as UTC.
 */
export function nextDailyRelease(after: Date, timeOfDay: string, timeZone: string | null): Date {
  const zone = clockOf(timeZone ?? 'UTC');
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  const local = after.getTime() + zone(after.getTime());
  const midnight = local - (((local % DAY_MS) + DAY_MS) % DAY_MS);
  const ofDay = (day: number): number => toMoment(midnight + day * DAY_MS + (hours * 60 + minutes) * 60_000, zone);
  const next = [0, 1, 2].map(ofDay).find((moment) => moment > after.getTime());
  return new Date(next ?? after.getTime() + DAY_MS);
}
