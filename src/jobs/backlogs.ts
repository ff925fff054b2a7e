import { toLevel } from './priorities.ts';
import { systemClock } from '../clock.ts';

/** Counts older than this are dropped, because other processes may have run those jobs. */
const KNOWN_MS = 2_000;

/** How many ready jobs each shop has, as far as this process knows: the last count, plus jobs added since, minus jobs started since. */
let ready = new Map<string, number>();
let knownAt = -Infinity;

/** Returns JSON that maps shops to the level of their next job. Shops whose next job has level 0 are omitted. */
export function readLevels(): string {
  const levels = [...readReadyJobs()].flatMap(([shop, jobs]) =>
    toLevel(jobs) > 0 ? [[shop, toLevel(jobs)] as const] : [],
  );
  return JSON.stringify(Object.fromEntries(levels));
}

/** Adds a ready job to the shop's count. */
export function addReadyJob(shop: string): void {
  const jobs = readReadyJobs();
  jobs.set(shop, (jobs.get(shop) ?? 0) + 1);
}

/** Removes a started job from the shop's count. */
export function removeReadyJob(shop: string): void {
  const jobs = readReadyJobs();
  const remaining = (jobs.get(shop) ?? 0) - 1;
  if (remaining > 0) jobs.set(shop, remaining);
  else jobs.delete(shop);
}

/** Replaces the counts of all shops. */
export function setReadyJobs(backlogs: Iterable<[shop: string, jobs: number]>): void {
  ready = new Map(backlogs);
  knownAt = systemClock.ticks();
}

function readReadyJobs(): Map<string, number> {
  if (systemClock.ticks() - knownAt > KNOWN_MS) setReadyJobs([]);
  return ready;
}
