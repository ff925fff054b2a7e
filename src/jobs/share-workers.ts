import type { Job, Worker, WorkerEvents } from 'graphile-worker';
import { removeReady } from './backlogs.ts';
import { LONG, SHOP } from './enqueue.ts';

/** The jobs of one shop hold at most this share of a process's workers: slow ones must not hold all. */
const SHOP_SHARE = 0.7;
/** The same for jobs that go through many things and may take minutes. */
const LONG_SHARE = 0.5;
/** Jobs are leveled at most so often, and never for more than a twentieth of the time. */
const LEVEL_MS = 1_000;
const LEVEL_REST = 20;
/** After a fetch that skipped jobs found no other, the next such fetch waits: it reads past all that it skips. */
const SKIP_MS = 100;

interface ShareOptions {
  concurrency: number;
  /** Levels the ready jobs; never rejects. */
  level: () => Promise<void>;
}

/**
 * Shares the workers of a process between shops. Returns what each worker calls before it fetches a job: it resolves with the flags of
 * jobs that have their share of workers already. It waits as long as the fetches under way could bring more than that.
 *
 * While at least half of the workers are busy, it has the jobs leveled. With fewer there is no backlog worth a statement.
 */
export function shareWorkers(
  events: WorkerEvents,
  { concurrency, level }: ShareOptions,
): () => Promise<string[] | null> {
  const running = new Map<string, string[]>();
  /** The flags that fetches skip: of those about to begin, and of those under way. */
  const asked: string[][] = [];
  const fetching = new Map<Worker, string[]>();
  let changed = Promise.withResolvers<void>();
  let skippedAllAt = -Infinity;
  let levelAt = -Infinity;

  function tellWaiting(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  function endFetch(worker: Worker): void {
    fetching.delete(worker);
    tellWaiting();
  }

  async function levelAgain(): Promise<void> {
    const begun = performance.now();
    levelAt = Infinity;
    await level();
    const ended = performance.now();
    levelAt = ended + Math.max(LEVEL_MS, LEVEL_REST * (ended - begun));
  }

  events.on('worker:getJob:start', ({ worker }) => void fetching.set(worker, asked.shift() ?? []));
  events.on('worker:getJob:error', ({ worker }) => endFetch(worker));
  events.on('worker:getJob:empty', ({ worker }) => {
    if ((fetching.get(worker) ?? []).length > 0) skippedAllAt = performance.now();
    endFetch(worker);
  });
  events.on('job:start', ({ worker, job }) => {
    const flags = toFlags(job);
    running.set(job.id, flags);
    for (const flag of flags) if (flag.startsWith(SHOP)) removeReady(flag.slice(SHOP.length));
    endFetch(worker);
    if (running.size * 2 >= concurrency && performance.now() >= levelAt) void levelAgain();
  });
  events.on('job:complete', ({ job }) => {
    running.delete(job.id);
    tellWaiting();
  });

  return async () => {
    for (;;) {
      const counts = countFlags(running.values());
      const full = findFull(counts, concurrency);
      const fetches = [...asked, ...fetching.values()];
      const isAlone = full.length === 0 || fetches.every((skipped) => skipped.length === 0);
      const restMs = full.length === 0 ? 0 : skippedAllAt + SKIP_MS - performance.now();
      if (restMs <= 0 && isAlone && !couldOverfill(counts, fetches, concurrency)) {
        asked.push(full);
        return full.length > 0 ? full : null;
      }
      const timer = restMs > 0 ? setTimeout(tellWaiting, restMs) : undefined;
      await changed.promise;
      clearTimeout(timer);
    }
  };
}

/** The flags of which no further job may begin, since those that run have their share of the workers. */
function findFull(counts: ReadonlyMap<string, number>, concurrency: number): string[] {
  return [...counts].filter(([flag, count]) => count >= mostOf(flag, concurrency)).map(([flag]) => flag);
}

/** Whether one more fetch could bring a job beyond a share that is not full yet, if all fetches bring jobs of one flag. */
function couldOverfill(
  counts: ReadonlyMap<string, number>,
  fetches: readonly string[][],
  concurrency: number,
): boolean {
  // A shop of which nothing runs, and the long jobs.
  const flags = new Set([SHOP, LONG, ...counts.keys()]);
  return [...flags].some((flag) => {
    const [most, count] = [mostOf(flag, concurrency), counts.get(flag) ?? 0];
    return count < most && count + fetches.filter((skipped) => !skipped.includes(flag)).length >= most;
  });
}

function mostOf(flag: string, concurrency: number): number {
  return Math.ceil(concurrency * (flag === LONG ? LONG_SHARE : SHOP_SHARE));
}

function countFlags(running: Iterable<string[]>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const flag of [...running].flat()) counts.set(flag, (counts.get(flag) ?? 0) + 1);
  return counts;
}

function toFlags({ flags }: Job): string[] {
  return Object.keys(flags ?? {});
}
