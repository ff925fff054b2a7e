import { EntitySchema } from 'typeorm';
import { bigId, integer, timestamp, timestampOrNull, text } from './columns.ts';

/** An order whose data remains at the print service, because the service offers no request for erasing data. */
export interface HeldByPrintService {
  orderId: string;
  name: string;
  references: string[];
}

/** A customer's request, received through Shopify, for their stored data or its erasure. Contains only IDs. */
export interface PrivacyRequest {
  id: string;
  shopId: number;
  kind: 'data_request' | 'customer_redact';
  /** Identifies the request: every delivery of the same request has the same key. */
  requestKey: string;
  /** All orders that the request names, including orders that arrive later or never arrive. */
  shopifyOrderIds: string[];
  heldByPrintService: HeldByPrintService[];
  receivedAt: Date;
  dueAt: Date;
  doneAt: Date | null;
}

export const PrivacyRequests = new EntitySchema<PrivacyRequest>({
  name: 'PrivacyRequest',
  tableName: 'privacy_requests',
  columns: {
    id: bigId,
    shopId: integer,
    kind: text,
    requestKey: text,
    shopifyOrderIds: { type: 'text', array: true },
    heldByPrintService: { type: 'jsonb', default: [] },
    receivedAt: timestamp,
    dueAt: timestamp,
    doneAt: timestampOrNull,
  },
});
