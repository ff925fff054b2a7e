import { z } from 'zod';
import type { ManualActionResult } from '../../../orders/manual-actions/perform-manual-action.ts';
import { actions, holdSteps } from '../../../orders/manual-actions/hold-actions.ts';
import type { showOrder } from '../../../orders/manual-actions/show-order.ts';
import type { listReceipts } from '../../../orders/costs/list-receipts.ts';
import { orderLabels, orderStates } from '../../../orders/facts/to-order-state.ts';
import type { listOrdersPage } from '../../../orders/lists/list-orders.ts';
import { actionBodySchema, filterSchema } from '../../api/orders.ts';
import { slipsSchema, type SlipsToPrint } from '../../api/packing-slips.ts';
import { jsonResponse, describeRoute, type ResultOf } from '../route.ts';
import { margin, printCosts } from './costs.ts';
import { after, count, orderIdSchema, next, printOrderState, codedReason, text, time, units } from './shared.ts';

const orderState = z.enum(orderStates).meta({ id: 'OrderState' });
export const orderLabel = z.enum(orderLabels).meta({ id: 'OrderLabel' });
const action = z.enum(actions).meta({ id: 'OrderAction' });

export const wait = z
  .strictObject({
    reference: z.string().nullable(),
    message: text,
    since: time.nullable(),
    tries: count.nullable(),
    nextAt: time.nullable(),
  })
  .meta({ id: 'Wait' });

const hold = { code: z.string(), field: z.string().nullable(), message: text, remedy: text };

const listedOrder = z
  .strictObject({
    orderId: z.string(),
    name: z.string(),
    placedAt: time,
    state: orderState,
    label: orderLabel,
    holds: z.array(z.strictObject(hold)),
    printOrders: z.array(
      z.strictObject({
        reference: z.string(),
        state: printOrderState,
        serviceOrderIds: z.array(z.string()),
        lines: z.array(units),
      }),
    ),
    waits: z.array(wait),
  })
  .meta({ id: 'ListedOrder' });

export const shownHold = z
  .strictObject({
    ...hold,
    adminUrl: z.string().nullable(),
    actions: z.array(action),
    steps: z.array(z.enum(holdSteps)),
    variant: z
      .strictObject({
        variantId: z.string().nullable(),
        productId: z.string().nullable(),
        sku: z.string().nullable(),
      })
      .nullable(),
    reference: z.string().nullable(),
    since: time,
  })
  .meta({ id: 'Hold' });

const shownPrintOrder = z
  .strictObject({
    reference: z.string(),
    state: printOrderState,
    isClosed: z.boolean(),
    isLeftAsDraft: z.boolean(),
    service: z.strictObject({
      status: z.string().nullable(),
      financialStatus: z.string().nullable(),
      comment: z.string().nullable(),
      orderIds: z.array(z.string()),
    }),
    shipping: z.strictObject({
      chosen: z.string().nullable(),
      rule: text.nullable(),
      offered: z.array(
        z.strictObject({
          uid: z.string(),
          name: z.string().nullable(),
          type: z.string().nullable(),
          price: z.union([z.string(), z.number()]),
          currency: z.string(),
          minDeliveryDate: z.string().nullable(),
          maxDeliveryDate: z.string().nullable(),
          isPrivate: z.boolean().nullable(),
          isBusiness: z.boolean().nullable(),
          incoTerms: z.string().nullable(),
          numberOfParcels: z.number().nullable(),
        }),
      ),
    }),
    delivery: z.strictObject({ from: z.string().nullable(), to: z.string().nullable() }),
    lines: z.array(
      z.strictObject({
        lineItemId: z.string(),
        sku: z.string().nullable(),
        quantity: count,
        productUid: z.string(),
        serviceStatus: z.string().nullable(),
        serviceComment: z.string().nullable(),
      }),
    ),
    packages: z.array(
      z.strictObject({
        trackingCode: z.string(),
        trackingUrl: z.string().nullable(),
        methodName: z.string().nullable(),
        seenAt: time,
        pushedAt: time.nullable(),
      }),
    ),
    costs: z.strictObject(printCosts).meta({ id: 'PrintCosts' }).nullable(),
  })
  .meta({ id: 'PrintOrder' });

const timelineEntry = z
  .strictObject({
    at: time,
    kind: z.string(),
    message: text,
    by: z.string(),
    reference: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'TimelineEntry' });

const shownOrder = z
  .strictObject({
    orderId: z.string(),
    name: z.string(),
    state: orderState,
    label: orderLabel,
    reason: codedReason.nullable(),
    waits: z.array(wait),
    placedAt: time,
    approvedAt: time.nullable(),
    heldAt: time.nullable(),
    cancelAskedAt: time.nullable(),
    canChange: z.strictObject({ address: z.boolean(), shipping: z.boolean() }),
    actions: z.array(action),
    holds: z.array(shownHold),
    lines: z.array(
      z.strictObject({
        lineItemId: z.string(),
        variantId: z.string().nullable(),
        sku: z.string().nullable(),
        decision: z.string(),
        reason: z.string().nullable(),
        ordered: count,
        fulfilled: count,
      }),
    ),
    printOrders: z.array(shownPrintOrder),
    costs: z.strictObject(margin).meta({ id: 'OrderCosts' }).nullable(),
    timeline: z.array(timelineEntry),
  })
  .meta({ id: 'Order' });

const receipts = z.strictObject({
  receipts: z.array(
    z.strictObject({
      reference: z.string(),
      serviceOrderId: z.string(),
      seenAt: time,
      receipt: z.record(z.string(), z.unknown()),
      billingEntity: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
});

const done = z.strictObject({
  orderId: z.string(),
  name: z.string(),
  action,
  done: z.array(text),
  stillHeld: z.array(text).meta({ description: 'Why an approved order stays on hold.' }),
});

export const ordersRoutes = [
  describeRoute('GET /api/orders', {
    query: filterSchema.extend({ after }),
    answers: { 200: jsonResponse<typeof listOrdersPage>()(z.strictObject({ orders: z.array(listedOrder), next })) },
    errors: [400],
  }),
  describeRoute('GET /api/orders/:id', {
    params: z.object({ id: orderIdSchema }),
    answers: { 200: jsonResponse<typeof showOrder>()(shownOrder) },
    errors: [404],
  }),
  describeRoute('GET /api/orders/:id/receipts', {
    params: z.object({ id: orderIdSchema }),
    answers: { 200: jsonResponse<{ receipts: ResultOf<typeof listReceipts> }>()(receipts) },
    errors: [404],
  }),
  describeRoute('POST /api/orders/:id/:action', {
    params: z.object({ id: orderIdSchema, action }),
    body: { type: 'application/json', schema: actionBodySchema, isRequired: false },
    answers: { 200: jsonResponse<ManualActionResult>()(done) },
    errors: [400, 404, 409],
  }),
  describeRoute('POST /api/packing-slips', {
    body: { type: 'application/json', schema: slipsSchema, isRequired: true },
    answers: {
      200: jsonResponse<SlipsToPrint>()(z.strictObject({ url: z.string(), slips: count, ordersWithout: count })),
    },
    errors: [400, 404],
  }),
];
