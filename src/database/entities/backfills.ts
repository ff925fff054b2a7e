import { EntitySchema } from 'typeorm';
import { bigId, integer, text, textOrNull, moment, momentOrNull } from './columns.ts';

/** An order that a dry run would take in: what of it is left to print, and what would keep it from that. No personal data. */
export interface FoundOrder {
  orderId: string;
  name: string;
  placedAt: string;
  lines: { sku: string | null; quantity: number }[];
  /** Why it would wait, or be held, in words; null: it would go to print at once. */
  waits: string | null;
}

/** Orders of a shop that were placed from a time on are taken in, or, in a dry run, only listed. */
export interface Backfill {
  id: string;
  shopId: number;
  since: Date;
  /** Orders placed after it was asked for come by themselves. */
  until: Date;
  isDryRun: boolean;
  /** Who asked, in no personal terms: `cli`, `merchant`. */
  askedBy: string;
  startedAt: Date;
  /** The end of the last page that was taken in, as the store gave it; null: none yet. */
  cursor: string | null;
  /** When the last order of that page was placed. */
  readUntil: Date | null;
  ordersRead: number;
  /** Orders that were taken in before. */
  ordersKnown: number;
  /** Orders taken in; in a dry run those that would be printed. */
  ordersFound: number;
  /** Of a dry run, the oldest first; no more than `MOST_LISTED` of `orders/backfill/run-backfill.ts`. */
  found: FoundOrder[];
  finishedAt: Date | null;
  /** Why it ended before its end; null: it did not. */
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
