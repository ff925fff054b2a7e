const FIRST = Date.parse('0001-01-01T00:00:00Z');
const END = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Returns the time if it is valid and its year has four digits and is not 0000, otherwise null. JavaScript writes any other year in a form
 * that PostgreSQL does not read. Every time from outside passes through this function.
 */
export function toStorableTime(time: Date): Date | null {
  return time.getTime() >= FIRST && time.getTime() <= END ? time : null;
}
