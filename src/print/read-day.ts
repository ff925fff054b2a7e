/** A delivery date as it came, a day that no time zone moves (interface page, Quote objects); null for what is no YYYY-MM-DD of the calendar. */
export function readDay(date: string | null): string | null {
  if (date === null || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const moment = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date) ? date : null;
}

/** The days from and to which something is expected, each where it is told; none where the first is after the last. */
export function readDelivery(told: { minDeliveryDate: string | null; maxDeliveryDate: string | null }): {
  from: string | null;
  to: string | null;
} {
  const [from, to] = [readDay(told.minDeliveryDate), readDay(told.maxDeliveryDate)];
  return from !== null && to !== null && from > to ? { from: null, to: null } : { from, to };
}
