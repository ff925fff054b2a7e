/** Classes of jobs. Smaller numbers run first. `FIRST` is for jobs that usually only record that an order must be read. */
export const FIRST = -1;

/** Jobs that advance an order. */
export const ORDERS = 0;

/** Polls, and jobs that read the amount paid for an order or a single product. */
export const POLLS = 5;

/** Jobs that handle many products or orders. */
export const BULK = 10;

/**
 * A job's priority is its class plus its level times this number, so the level takes precedence over the class.
 */
export const LEVEL_STEP = 16;

/**
 * Returns the level of a job with `place` ready jobs of the same shop ahead of it. The first four jobs have level 0, and the level
 * increases by one whenever the place quadruples. A small shop stays on level 0, regardless of how many jobs other shops have queued.
 */
export function toLevel(place: number): number {
  return place < 4 ? 0 : Math.floor((31 - Math.clz32(place)) / 2);
}

/** Returns SQL that computes `toLevel` of an expression. Adding one half prevents rounding errors at powers of four. */
export function toLevelSql(place: string): string {
  return `floor(ln(greatest(${place}, 1) + 0.5) / ln(4))::int`;
}

/** Returns SQL for a priority's class. */
export function toClassSql(priority: string): string {
  return `((${priority} - ${FIRST}) % ${LEVEL_STEP} + ${FIRST})`;
}

/** Returns SQL for a priority's level. */
export function toPriorityLevelSql(priority: string): string {
  return `((${priority} - ${FIRST}) / ${LEVEL_STEP})`;
}
