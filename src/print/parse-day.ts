/**
 * Returns a delivery date, which has no time zone (docs/rules/print-interface.md#timestamps-and-dates), or null if it is not a valid
 * YYYY-MM-DD date.
 */
export function parseDay(date: string | null): string | null {
  if (date === null || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const moment = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date) ? date : null;
}

/** Returns the first and last expected days, if given. Returns neither if the first is after the last. */
export function parseDeliveryDays(given: { minDeliveryDate: string | null; maxDeliveryDate: string | null }): {
  from: string | null;
  to: string | null;
} {
  const [from, to] = [parseDay(given.minDeliveryDate), parseDay(given.maxDeliveryDate)];
  return from !== null && to !== null && from > to ? { from: null, to: null } : { from, to };
}
