import { z } from 'zod';
import type { ListedBackfill } from '../../../orders/backfill/list-backfills.ts';
import type { exportPersonalData, PersonalDataExport } from '../../../orders/privacy/export-personal-data.ts';
import type { listPrivacyRequests } from '../../../orders/privacy/list-privacy-requests.ts';
import { backfillRequestSchema } from '../../api/backfills.ts';
import { jsonResponse, describeRoute, jsonBody, type ResultOf } from '../route.ts';
import { count, printOrderState, text, time, units } from './shared.ts';

const backfill = z
  .strictObject({
    id: z.string(),
    since: time,
    dryRun: z.boolean(),
    askedBy: z.string(),
    startedAt: time,
    finishedAt: time.nullable(),
    stopped: text.nullable(),
    readUntil: time.nullable(),
    orders: z.strictObject({ read: count, known: count, taken: count }),
    found: z.array(
      z.strictObject({
        orderId: z.string(),
        name: z.string(),
        placedAt: time,
        lines: z.array(units),
        waits: text.nullable(),
      }),
    ),
  })
  .meta({ id: 'Backfill' });

const requests = z.strictObject({
  privacyRequests: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.enum(['data_request', 'customer_redact']),
      receivedAt: time,
      dueAt: time,
      doneAt: time.nullable(),
      orders: count,
      orderIds: z.array(z.string()),
      orderNames: z.array(z.string()),
      heldByPrintService: z.array(
        z.strictObject({ orderId: z.string(), name: z.string(), references: z.array(z.string()) }),
      ),
    }),
  ),
  next: z.string().nullable().meta({ description: 'The next page’s `before`. Null on the last page.' }),
});

type StoredJson = Record<string, unknown> | null;
/** The export does not convert stored personal data, so it can have the format of an earlier version of Platen. */
type Exported = Omit<ResultOf<typeof exportPersonalData>, 'orders'> & { orders: ExportedOrder[] };
type ExportedOrder = Omit<PersonalDataExport['orders'][number], 'printOrders'> & {
  printOrders: (Omit<PersonalDataExport['orders'][number]['printOrders'][number], 'recipient' | 'body'> & {
    recipient: StoredJson;
    body: StoredJson;
  })[];
};
const storedJson = z.record(z.string(), z.unknown()).nullable();

const exported = z.strictObject({
  shop: z.string(),
  requestId: z.string(),
  receivedAt: time,
  orders: z.array(
    z.strictObject({
      orderId: z.string(),
      name: z.string(),
      receivedAt: time,
      erasedAt: time.nullable(),
      sale: storedJson,
      printOrders: z.array(
        z.strictObject({
          reference: z.string(),
          state: printOrderState,
          wasSent: z.boolean(),
          serviceOrderIds: z.array(z.string()),
          recipient: storedJson,
          body: storedJson,
          packages: z.array(z.strictObject({ trackingCode: z.string(), trackingUrl: z.string().nullable() })),
        }),
      ),
      holds: z.array(z.strictObject({ code: z.string(), field: z.string().nullable(), message: z.string() })),
      events: z.array(z.unknown()),
    }),
  ),
});

export const backfillAndPrivacyRoutes = [
  describeRoute('GET /api/backfills', {
    answers: { 200: jsonResponse<{ backfills: ListedBackfill[] }>()(z.strictObject({ backfills: z.array(backfill) })) },
  }),
  describeRoute('POST /api/backfills', {
    body: jsonBody(backfillRequestSchema),
    answers: { 202: jsonResponse<ListedBackfill>()(backfill) },
    errors: [400, 403, 409],
  }),
  describeRoute('GET /api/privacy-requests', {
    query: z.object({ before: z.string().optional() }),
    answers: { 200: jsonResponse<typeof listPrivacyRequests>()(requests) },
    errors: [400],
  }),
  describeRoute('GET /api/privacy-requests/:id/export', {
    params: z.object({ id: z.string() }),
    answers: { 200: jsonResponse<Exported>()(exported) },
    errors: [404],
  }),
];
