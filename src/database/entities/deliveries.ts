import { EntitySchema } from 'typeorm';
import { bigId, integer, text, textOrNull, timestampOrNull, insertTimestamp, ownerOrNull } from './columns.ts';

/**
 * A delivery that arrived at an endpoint, stored once. For a delivery from the store, only its IDs and a hash of its body are stored. A
 * delivery from the print service is stored with its body.
 */
export interface Delivery {
  id: string;
  source: 'shopify' | 'print';
  shopId: number;
  dedupeKey: string;
  topic: string;
  eventId: string | null;
  resourceIds: Record<string, string>;
  body: Record<string, unknown> | null;
  bodySha256: string;
  occurredAt: Date | null;
  receivedAt: Date;
  handledAt: Date | null;
  result: string | null;
  /** The print order whose next reading handles this delivery. */
  printOrderId: string | null;
}

export const Deliveries = new EntitySchema<Delivery>({
  name: 'Delivery',
  tableName: 'deliveries',
  columns: {
    id: bigId,
    source: text,
    shopId: integer,
    dedupeKey: text,
    topic: text,
    eventId: textOrNull,
    resourceIds: { type: 'jsonb', default: {} },
    body: { type: 'jsonb', nullable: true },
    bodySha256: text,
    occurredAt: timestampOrNull,
    receivedAt: insertTimestamp,
    handledAt: timestampOrNull,
    result: textOrNull,
    printOrderId: ownerOrNull,
  },
});
