import pg from 'pg';
import { PlatenError } from '../errors.ts';
import type { Clock } from '../clock.ts';

/** After this time, the next batch no longer waits for the previous batch, which may be waiting for a lock. */
const SLOW_MS = 100;
/** Maximum number of running batches, including slow ones. */
const MAX_BATCHES = 3;
/** After a batch fails, each of its items is tried separately, at most this many at a time. */
const SINGLES = 3;
/** SQLSTATE classes of connection and server errors, after which an immediate retry does not help. */
const SERVER_AT_FAULT = /^(08|53|57|58)/;

interface Options<Item, Result> {
  clock: Clock;
  /** Runs one statement for some items. Resolves after its commit with a result for each item. */
  run: (items: Item[]) => Promise<Result[]>;
  bytesOf: (item: Item) => number;
  maxItems: number;
  maxBytes: number;
  /** Maximum number of waiting items. Further items are rejected. */
  maxWaiting: number;
}

interface WaitingItem<Item, Result> extends PromiseWithResolvers<Result> {
  item: Item;
}

/**
 * Batches items: items that arrive while a statement is running share the next statement and its commit. If a statement for several items
 * fails, each item is tried alone, so that an item that the database rejects does not affect the other items. The returned function rejects
 * with PlatenError `too_many_waiting`, and with database errors.
 */
export function createBatcher<Item, Result>(options: Options<Item, Result>): (item: Item) => Promise<Result> {
  const { clock, run, bytesOf, maxItems, maxBytes, maxWaiting } = options;
  let waiting: WaitingItem<Item, Result>[] = [];
  let batches = 0;
  let isBusy = false;

  function takeBatch(): WaitingItem<Item, Result>[] {
    let bytes = 0;
    const end = waiting.findIndex(({ item }, at) => {
      bytes += bytesOf(item);
      return at === maxItems || (at > 0 && bytes > maxBytes);
    });
    const batch = end === -1 ? waiting : waiting.slice(0, end);
    waiting = waiting.slice(batch.length);
    return batch;
  }

  async function runBatch(batch: WaitingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, at) => resolve(results[at] as Result));
    } catch (error) {
      if (batch.length === 1 || isServerAtFault(error)) for (const { reject } of batch) reject(error);
      else await runSingly(batch);
    }
  }

  /** Tries items in order of arrival, a few simultaneously, because an item may be waiting for a lock. */
  async function runSingly(batch: WaitingItem<Item, Result>[]): Promise<void> {
    const rest = batch.values();
    const runUntilEmpty = async (): Promise<void> => {
      for (const one of rest) await runBatch([one]);
    };
    await Promise.all(Array.from({ length: SINGLES }, runUntilEmpty));
  }

  function runNext(): void {
    if (isBusy || waiting.length === 0 || batches === MAX_BATCHES) return;
    isBusy = true;
    batches += 1;
    let isCurrent = true;
    const startNext = (): void => {
      if (isCurrent) isBusy = false;
      isCurrent = false;
      runNext();
    };
    const cancel = clock.after(SLOW_MS, startNext);
    void runBatch(takeBatch()).finally(() => {
      cancel();
      batches -= 1;
      startNext();
    });
  }

  return async (item) => {
    if (waiting.length >= maxWaiting)
      throw new PlatenError('too_many_waiting', 'Too many items are waiting for the database.');
    const own: WaitingItem<Item, Result> = { item, ...Promise.withResolvers<Result>() };
    waiting.push(own);
    runNext();
    return own.promise;
  };
}

/**
 * Returns whether the server or the connection caused the error. An error that did not come from the database counts as a connection error.
 */
function isServerAtFault(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || SERVER_AT_FAULT.test(error.code ?? '');
}
