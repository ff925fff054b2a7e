import { LONG, SHOP } from '../enqueue.ts';
import type { ClaimOptions } from './claim-jobs.ts';

/** One shop's jobs occupy at most this share of a process's workers, so that slow jobs do not occupy all workers. */
const SHOP_SHARE = 0.7;
/** The maximum share for jobs that handle many items and may take minutes. */
const LONG_SHARE = 0.5;

/**
 * Returns how many more jobs a process may claim, based on the flags of its running jobs, so that no shop exceeds its share of the
 * workers.
 */
export function toClaimLimits(
  running: Iterable<readonly string[]>,
  concurrency: number,
): Pick<ClaimOptions, 'most' | 'skip' | 'running' | 'maxPerShop' | 'maxLong'> {
  const jobs = [...running];
  const counts = new Map<string, number>();
  for (const flag of jobs.flat()) counts.set(flag, (counts.get(flag) ?? 0) + 1);
  const maxPerShop = Math.ceil(concurrency * SHOP_SHARE);
  const maxLong = Math.ceil(concurrency * LONG_SHARE);
  const mostOf = (flag: string): number => {
    if (flag === LONG) return maxLong;
    return flag.startsWith(SHOP) ? maxPerShop : Infinity;
  };
  const skip = [...counts].filter(([flag, count]) => count >= mostOf(flag)).map(([flag]) => flag);
  return { most: concurrency - jobs.length, skip, running: counts, maxPerShop, maxLong };
}
