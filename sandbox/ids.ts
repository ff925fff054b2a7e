import { randomBytes } from 'node:crypto';
import type { Books } from './books.ts';
import type { Clock } from '../src/clock.ts';

/** Creates IDs that never repeat in these books, even after a reset or a restart. */
export interface Ids {
  /** Returns an increasing decimal number below 2^53, as text: the microseconds since 1970, or the last number plus one. */
  nextNumber(): string;
  /** Returns a version 7 UUID that contains such an increasing number. */
  nextUuid(): string;
}

/**
 * How far the mark in the books is ahead of the last ID, in microseconds. After a restart, all IDs up to the mark count as used, so one
 * write covers many IDs.
 */
const RESERVE = 1_000_000;

/** Creates IDs from the clock. A reset must not clear the table `ids`, because IDs below its mark may already be in use. */
export function createIds({ now }: Pick<Clock, 'now'>, books: Books): Ids {
  let last = books.get<number>('ids', 'mark') ?? 0;
  let mark = last;

  function next(): number {
    last = Math.max(last + 1, now().getTime() * 1000);
    if (last > mark) {
      mark = last + RESERVE;
      books.put('ids', 'mark', mark);
    }
    return last;
  }

  return {
    nextNumber: () => String(next()),
    nextUuid() {
      const time = next().toString(16).padStart(15, '0');
      const rest = randomBytes(8).toString('hex');
      return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${time.slice(12)}-8${rest.slice(0, 3)}-${rest.slice(3, 15)}`;
    },
  };
}
