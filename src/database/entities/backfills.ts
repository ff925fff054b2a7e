import { EntitySchema } from 'typeorm';
import { bigId, integer, text, textOrNull, timestamp, timestampOrNull } from './columns.ts';

/**
 * An order that a dry run found: its units that have not been printed yet, and any reason that would prevent printing. Contains no personal
 * data.
 */
export interface FoundOrder {
  orderId: string;
  name: string;
  placedAt: string;
  lines: { sku: string | null; quantity: number }[];
  /** Why the order would wait or be held, in plain language. Null if the order would be sent to print immediately. */
  waits: string | null;
}

/** A backfill of a shop. It imports the orders that were placed since a given time or, in a dry run, only lists them. */
export interface Backfill {
  id: string;
  shopId: number;
  since: Date;
  /** The end of the period. Orders that are placed after the request arrive automatically. */
  until: Date;
  isDryRun: boolean;
  /** Who requested the backfill, without personal data: `cli`, `merchant`. */
  askedBy: string;
  startedAt: Date;
  /** The store's cursor for the end of the last imported page. Null before the first page. */
  cursor: string | null;
  /** When the last order of the last imported page was placed. */
  readUntil: Date | null;
  ordersRead: number;
  /** Number of orders that Platen already knew. */
  ordersKnown: number;
  /** Number of imported orders. In a dry run, the number of orders that would be printed. */
  ordersFound: number;
  /** The orders that a dry run found, oldest first. At most `MAX_LISTED` (`orders/backfill/run-backfill.ts`). */
  found: FoundOrder[];
  finishedAt: Date | null;
  /** Why the backfill ended early. Null if the backfill did not end early. */
  stoppedReason: string | null;
}

export const Backfills = new EntitySchema<Backfill>({
  name: 'Backfill',
  tableName: 'backfills',
  columns: {
    id: bigId,
    shopId: integer,
    since: timestamp,
    until: timestamp,
    isDryRun: { type: 'boolean' },
    askedBy: text,
    startedAt: timestamp,
    cursor: textOrNull,
    readUntil: timestampOrNull,
    ordersRead: { type: 'integer', default: 0 },
    ordersKnown: { type: 'integer', default: 0 },
    ordersFound: { type: 'integer', default: 0 },
    found: { type: 'jsonb', default: [] },
    finishedAt: timestampOrNull,
    stoppedReason: textOrNull,
  },
});
