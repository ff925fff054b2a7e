import { randomBytes } from 'node:crypto';
import type { Books } from './books.ts';

/** Makes ids that never come again in these books, not after a reset and not after a restart. */
export interface Ids {
  /** A growing decimal number below 2^53, as text: microseconds since 1970, or one more than the last. */
  nextNumber(): string;
  /** A UUID (version 7 by its form) that holds such a number. */
  nextUuid(): string;
}

/** How far ahead of the ids given out the mark in the books stands: one write serves this many microseconds of ids. */
const RESERVE = 1_000_000;

/** Ids from the clock. A reset must leave the table `ids` of the books alone: it holds the mark below which ids may be used up. */
export function createIds(books: Books): Ids {
  let last = books.get<number>('ids', 'mark') ?? 0;
  let mark = last;

  function next(): number {
    last = Math.max(last + 1, Date.now() * 1000);
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
