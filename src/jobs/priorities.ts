/** Classes of jobs: smaller numbers run first. Jobs that only note that an order must be read come before all others. */
export const FIRST = -1;

/** Jobs that advance an order. */
export const ORDERS = 0;

/** Jobs that read what was paid for an order, or what became of one product, and the polls. */
export const READINGS = 5;

/** Jobs that go through many products or orders. */
export const BULK = 10;

/**
 * The priority of a job is its class plus its level times this number, so that the level decides before the class.
 * Level 0 keeps the priorities that processes of earlier versions use.
 */
export const LEVEL_STEP = 16;

/**
 * The level of a shop's job that has `place` ready jobs of the same shop before it: 0 for the first four, and one more
 * each time the place is four times as large. A small shop is therefore on level 0, whatever another shop has queued.
 */
export function toLevel(place: number): number {
  return place < 4 ? 0 : Math.floor((31 - Math.clz32(place)) / 2);
}

/** SQL: the same as `toLevel`, of an expression. The half keeps powers of four away from rounding errors. */
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
