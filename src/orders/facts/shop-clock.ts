const DAY_MS = 86_400_000;

/** Returns when a day such as 2026-11-21 begins in the time zone, or null if the day is invalid. An unknown time zone counts as UTC. */
export function startOfDay(day: string, timeZone: string | null): Date | null {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(midnight) ? null : new Date(toMoment(midnight, clockOf(timeZone ?? 'UTC')));
}

/** Returns the date in the time zone at a given moment, such as 2026-11-21. An unknown time zone counts as UTC. */
export function dayOf(moment: Date, timeZone: string | null): string {
  const ahead = clockOf(timeZone ?? 'UTC')(moment.getTime());
  return new Date(moment.getTime() + ahead).toISOString().slice(0, 10);
}

/** Returns how many milliseconds a time zone's clocks are ahead of UTC at a given moment. */
type Clock = (moment: number) => number;

/** Returns a time zone's clock. An unknown time zone counts as UTC. */
export function clockOf(timeZone: string): Clock {
  const format = toFormat(timeZone);
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return shown - Math.floor(moment / 1000) * 1000;
  };
}

function toFormat(timeZone: string): Intl.DateTimeFormat {
  const numeric = 'numeric' as const;
  const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric };
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone: 'UTC' });
  }
}

/** Returns the moment at which the clocks show a local time. `local` is that time expressed as if it were UTC. */
export function toMoment(local: number, clock: Clock): number {
  // Clock changes never exceed a few hours, so the offset is the previous day's or the next day's.
  const offsets = [clock(local - DAY_MS), clock(local + DAY_MS)];
  const shown = offsets.map((offset) => local - offset).filter((moment) => moment + clock(moment) === local);
  return shown.length > 0 ? Math.min(...shown) : local - Math.min(...offsets);
}
