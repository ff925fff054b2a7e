import { toLevel } from './priorities.ts';

/** Older knowledge is dropped: other processes may have run those jobs. */
const KNOWN_MS = 2_000;

/** How many ready jobs each shop has, as far as this process knows: what it saw last, plus what it added, minus what it began. */
let ready = new Map<string, number>();
let knownAt = -Infinity;

/** The shops whose next job is not on level 0, with that level, as JSON. */
export function readLevels(): string {
  const levels = [...current()].flatMap(([shop, jobs]) => (toLevel(jobs) > 0 ? [[shop, toLevel(jobs)] as const] : []));
  return JSON.stringify(Object.fromEntries(levels));
}

/** Notes that a job of the shop is ready. */
export function addReady(shop: string): void {
  const jobs = current();
  jobs.set(shop, (jobs.get(shop) ?? 0) + 1);
}

/** Notes that a ready job of the shop was begun. */
export function removeReady(shop: string): void {
  const jobs = current();
  const left = (jobs.get(shop) ?? 0) - 1;
  if (left > 0) jobs.set(shop, left);
  else jobs.delete(shop);
}

/** Replaces the counts of all shops. */
export function setReady(backlogs: Iterable<[shop: string, jobs: number]>): void {
  ready = new Map(backlogs);
  knownAt = performance.now();
}

function current(): Map<string, number> {
  if (performance.now() - knownAt > KNOWN_MS) setReady([]);
  return ready;
}
