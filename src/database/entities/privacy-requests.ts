import { EntitySchema } from 'typeorm';
import { bigId, integer, moment, momentOrNull, text } from './columns.ts';

/** An order of which the print service keeps what it was sent: it has no call for erasing. */
export interface HeldByPrintService {
  orderId: string;
  name: string;
  references: string[];
}

/** What a customer asked for through Shopify: what is kept of them, or that it is erased. Ids only. */
export interface PrivacyRequest {
  id: string;
  shopId: number;
  kind: 'data_request' | 'customer_redact';
  /** The same for every delivery of one request. */
  requestKey: string;
  /** All orders that it names: one may come in later, or never. */
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
    receivedAt: moment,
    dueAt: moment,
    doneAt: momentOrNull,
  },
});
