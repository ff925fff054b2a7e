import type { RebuildProgress } from '../orders/rebuild/plan-unreconciled-orders.ts';

/** Returns a number with a noun that has a regular plural, such as `1 order`. With verbs, adds the verb that agrees: `2 orders are`. */
export function describeCount(count: number, noun: string, verbs?: readonly [one: string, several: string]): string {
  const isOne = count === 1;
  return `${count} ${noun}${isOne ? '' : 's'}${verbs ? ` ${verbs[isOne ? 0 : 1]}` : ''}`;
}

/** Describes how many orders have been rebuilt since a restore. */
export function describeRebuild({ left, rebuilt, held }: RebuildProgress): string {
  return `The database was restored. Orders still to be rebuilt: ${left}. Rebuilt: ${rebuilt}, of which ${held} are on hold.`;
}
