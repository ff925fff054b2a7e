import { EntitySchema } from 'typeorm';
import { bigId, integer, text, textOrNull, moment, momentOrNull } from './columns.ts';

/** An order that a dry run would take in: its units left to print, and what would prevent printing. No personal data. */
export interface FoundOrder {
  orderId: string;
  name: string;
  placedAt: string;
  lines: { sku: string | null; quantity: number }[];
  /** Why it would wait or be held, in words; null if it would be sent to print at once. */
  waits: string | null;
}

/** A backfill takes in orders of a shop that were placed from a given time, or only lists them in a dry run. */
export interface Backfill {
  id: string;
  shopId: number;
  since: Date;
  /** Orders placed after the request arrive automatically. */
  until: Date;
  isDryRun: boolean;
  /** Who requested it, without personal data: `cli`, `merchant`. */
  askedBy: string;
  startedAt: Date;
  /** The end of the last page that was taken in, as the store's cursor; null before the first page. */
  cursor: string | null;
  /** When the last order of that page was placed. */
  readUntil: Date | null;
  ordersRead: number;
  /** Orders that had already been taken in. */
  ordersKnown: number;
  /** Orders taken in; in a dry run, those that would be printed. */
  ordersFound: number;
  /** The orders of a dry run, oldest first; at most `MOST_LISTED` of `orders/backfill/run-backfill.ts`. */
  found: FoundOrder[];
  finishedAt: Date | null;
  /** Why it ended early; null if it did not. */
  stoppedReason: string | null;
}

export const Backfills = new EntitySchema<Backfill>({
  name: 'Backfill',
  tableName: 'backfills',
  columns: {
    id: bigId,
    shopId: integer,
    since: moment,
    until: moment,
    isDryRun: { type: 'boolean' },
    askedBy: text,
    startedAt: moment,
    cursor: textOrNull,
    readUntil: momentOrNull,
    ordersRead: { type: 'integer', default: 0 },
    ordersKnown: { type: 'integer', default: 0 },
    ordersFound: { type: 'integer', default: 0 },
    found: { type: 'jsonb', default: [] },
    finishedAt: momentOrNull,
    stoppedReason: textOrNull,
  },
});
