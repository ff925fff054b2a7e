/** Classes of jobs: smaller numbers run first. Jobs that only record that an order must be read come first. */
export const FIRST = -1;

/** Jobs that advance an order. */
export const ORDERS = 0;

/** The polls, and jobs that read payments of an order or the result for one product. */
export const READINGS = 5;

/** Jobs that handle many products or orders. */
export const BULK = 10;

/**
 * A job's priority is its class plus its level times this number, so the level decides before the class. Level 0 keeps the priorities that
 * processes of earlier versions use.
 */
export const LEVEL_STEP = 16;

/**
 * The level of a job with `place` ready jobs of the same shop before it: 0 for the first four, and one more each time the place is four
 * times as large. A small shop is on level 0, whatever other shops have queued.
 */
export function toLevel(place: number): number {
  return place < 4 ? 0 : Math.floor((31 - Math.clz32(place)) / 2);
}

/** SQL: `toLevel` of an expression. The half prevents rounding errors at powers of four. */
export function toLevelSql(place: string): string {
  return `floor(ln(greatest(${place}, 1) + 0.5) / ln(4))::int`;
}

/** SQL: the class of a priority. */
export function toClassSql(priority: string): string {
  return `((${priority} - ${FIRST}) % ${LEVEL_STEP} + ${FIRST})`;
}

/** SQL: the level of a priority. */
export function toPriorityLevelSql(priority: string): string {
  return `((${priority} - ${FIRST}) / ${LEVEL_STEP})`;
}
