import { EntitySchema } from 'typeorm';
import {
  bigId,
  owner,
  integer,
  integerOrNull,
  text,
  textOrNull,
  momentOrNull,
  madeNow,
  changedNow,
  begunNow,
} from './columns.ts';

/** The states of a print order; which may follow which: `orders/order-state.ts`. */
export type PrintOrderState =
  | 'planned'
  | 'quoted'
  | 'submitting'
  | 'submitted'
  | 'in_production'
  | 'shipped'
  | 'fulfilled'
  | 'held'
  | 'uncertain'
  | 'canceled'
  | 'failed'
  | 'shipped_no_tracking';

type SubmitWay = 'draft' | 'direct';

/** One order at the print service, for lines of one fulfillment order. */
export interface PrintOrder {
  id: string;
  shopId: number;
  storefrontOrderId: string;
  printAccountId: number | null;
  shopifyFulfillmentOrderId: string;
  part: number;
  reference: string;
  state: PrintOrderState;
  submitWay: SubmitWay;
  /** The interface of the print service that it is made through, for its life; `legacyHost` counts for `v1` and `v2`. */
  printInterface: 'current' | 'v2' | 'v1';
  legacyHost: 'live' | 'test';
  /** Hash of what the plan wants printed and where it goes: another hash means another reference. */
  planSha256: string;
  /** JSON of the fitted recipient, encrypted; personal data. */
  recipientEncrypted: string | null;
  quote: Record<string, unknown> | null;
  shipmentMethodUid: string | null;
  /** JSON of the create request, encrypted; personal data. */
  bodyEncrypted: string | null;
  bodySha256: string | null;
  /** The chosen order or draft: written once by compare-and-set. */
  serviceOrderId: string | null;
  confirmStartedAt: Date | null;
  confirmedAt: Date | null;
  cancelRequestedAt: Date | null;
  closedAt: Date | null;
  closedReason: string | null;
  /** Closed and proven to have nothing live at the service: its quantities no longer count. */
  fencedAt: Date | null;
  /** The service's own fulfillmentStatus, as it came. */
  serviceStatus: string | null;
  financialStatus: string | null;
  shippedAt: Date | null;
  followedAt: Date | null;
  /** When the print service last showed another status; null: not since the print order was confirmed. */
  progressAt: Date | null;
  /** It stays a draft in the service's dashboard, for a person to release there. */
  isLeftAsDraft: boolean;
  /** A person's word that Platen confirms it though the shop leaves its drafts. */
  releasedAt: Date | null;
  /** What a person changed in the draft at the service, as a hash, while that is held; the draft is then not deleted unasked. */
  draftEdit: string | null;
  /** The change of the draft with which it is confirmed, on a person's word. */
  acceptedDraftEdit: string | null;
  /** The service would not cancel it, and why, in words for the merchant. */
  cancelRefusedAt: Date | null;
  cancelRefusedWhy: string | null;
  /** A person's word that its units are to be printed again: they no longer count as printed. */
  printAgainAt: Date | null;
  /** The change of the order in the store that a person has accepted for this one, as a hash. */
  acceptedChange: string | null;
  /** How the order in the store differs from what was sent, as a hash; null: it does not. */
  presentChange: string | null;
  /** When it is expected to arrive, YYYY-MM-DD, by the service's latest word. */
  minDeliveryDate: string | null;
  maxDeliveryDate: string | null;
  /** The service's latest words on its status, told by an event alone, and the status that they are about. */
  serviceComment: string | null;
  serviceCommentStatus: string | null;
  /** When the store was told that printing has begun. */
  progressReportedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface PrintOrderLine {
  id: string;
  printOrderId: string;
  itemReferenceId: string;
  shopifyLineItemId: string;
  shopifyVariantId: string | null;
  sku: string | null;
  productUid: string;
  /** null also where the line brought its own: that is kept with the recipient (`orders/recipient-column.ts`). */
  fileUrl: string | null;
  pageCount: number | null;
  /** What is ordered beside all pieces of the line; both null for none. */
  envelopeProductUid: string | null;
  envelopeQuantity: number | null;
  quantity: number;
  /** Units of the LineItem that the store had fulfilled already when this was planned. */
  fulfilledBefore: number;
  serviceStatus: string | null;
  /** The service's latest words on this item, told by an event alone, and the status that they are about. */
  serviceComment: string | null;
  serviceCommentStatus: string | null;
  /** A person's word that its units are printed again: the service will not make them under this reference. */
  printAgainAt: Date | null;
  /** Units that failed or were cancelled in a part of the order, by the service's last answer, while the rest of the line comes. */
  unitsOver: number;
  /** Those of them that are printed again, on a person's word. */
  unitsAgain: number;
}

export type AttemptOutcome = 'done' | 'refused' | 'account_refused' | 'nothing_made' | 'unclear' | 'absent';

/** One create call: its row is committed before the call is made. */
export interface SubmitAttempt {
  id: string;
  printOrderId: string;
  attempt: number;
  orderType: 'draft' | 'order';
  bodySha256: string;
  begunAt: Date;
  endedAt: Date | null;
  outcome: AttemptOutcome | null;
  httpStatus: number | null;
  serviceOrderId: string | null;
  message: string | null;
  /** Searches with a control that did not show the order. */
  absentSearches: number;
}

/** An order or draft that the service has shown under one of our references. */
export interface ServiceOrder {
  id: string;
  printOrderId: string;
  printAccountId: number;
  serviceOrderId: string;
  role: 'chosen' | 'part' | 'spare';
  orderType: string | null;
  status: string | null;
  seenAt: Date;
  deletedAt: Date | null;
  /** When its parcels were first said to be on their way to the buyer, and to be there. */
  inTransitAt: Date | null;
  deliveredAt: Date | null;
  /** When they were said to have come back; null once they are on their way again. */
  returnedAt: Date | null;
}

export const PrintOrders = new EntitySchema<PrintOrder>({
  name: 'PrintOrder',
  tableName: 'print_orders',
  columns: {
    id: bigId,
    shopId: integer,
    storefrontOrderId: owner,
    printAccountId: integerOrNull,
    shopifyFulfillmentOrderId: text,
    part: integer,
    reference: text,
    state: text,
    submitWay: text,
    printInterface: { type: 'text', default: 'current' },
    legacyHost: { type: 'text', default: 'live' },
    planSha256: text,
    recipientEncrypted: textOrNull,
    quote: { type: 'jsonb', nullable: true },
    shipmentMethodUid: textOrNull,
    bodyEncrypted: textOrNull,
    bodySha256: textOrNull,
    serviceOrderId: textOrNull,
    confirmStartedAt: momentOrNull,
    confirmedAt: momentOrNull,
    cancelRequestedAt: momentOrNull,
    closedAt: momentOrNull,
    closedReason: textOrNull,
    fencedAt: momentOrNull,
    serviceStatus: textOrNull,
    financialStatus: textOrNull,
    shippedAt: momentOrNull,
    followedAt: momentOrNull,
    progressAt: momentOrNull,
    isLeftAsDraft: { type: 'boolean', default: false },
    releasedAt: momentOrNull,
    draftEdit: textOrNull,
    acceptedDraftEdit: textOrNull,
    cancelRefusedAt: momentOrNull,
    cancelRefusedWhy: textOrNull,
    printAgainAt: momentOrNull,
    acceptedChange: textOrNull,
    presentChange: textOrNull,
    minDeliveryDate: textOrNull,
    maxDeliveryDate: textOrNull,
    serviceComment: textOrNull,
    serviceCommentStatus: textOrNull,
    progressReportedAt: momentOrNull,
    createdAt: madeNow,
    updatedAt: changedNow,
  },
});

export const PrintOrderLines = new EntitySchema<PrintOrderLine>({
  name: 'PrintOrderLine',
  tableName: 'print_order_lines',
  columns: {
    id: bigId,
    printOrderId: owner,
    itemReferenceId: text,
    shopifyLineItemId: text,
    shopifyVariantId: textOrNull,
    sku: textOrNull,
    productUid: text,
    fileUrl: textOrNull,
    pageCount: integerOrNull,
    envelopeProductUid: textOrNull,
    envelopeQuantity: integerOrNull,
    quantity: integer,
    fulfilledBefore: { type: 'integer', default: 0 },
    serviceStatus: textOrNull,
    serviceComment: textOrNull,
    serviceCommentStatus: textOrNull,
    printAgainAt: momentOrNull,
    unitsOver: { type: 'integer', default: 0 },
    unitsAgain: { type: 'integer', default: 0 },
  },
});

export const SubmitAttempts = new EntitySchema<SubmitAttempt>({
  name: 'SubmitAttempt',
  tableName: 'submit_attempts',
  columns: {
    id: bigId,
    printOrderId: owner,
    attempt: integer,
    orderType: text,
    bodySha256: text,
    begunAt: begunNow,
    endedAt: momentOrNull,
    outcome: textOrNull,
    httpStatus: integerOrNull,
    serviceOrderId: textOrNull,
    message: textOrNull,
    absentSearches: { type: 'integer', default: 0 },
  },
});

export const ServiceOrders = new EntitySchema<ServiceOrder>({
  name: 'ServiceOrder',
  tableName: 'service_orders',
  columns: {
    id: bigId,
    printOrderId: owner,
    printAccountId: integer,
    serviceOrderId: text,
    role: text,
    orderType: textOrNull,
    status: textOrNull,
    seenAt: madeNow,
    deletedAt: momentOrNull,
    inTransitAt: momentOrNull,
    deliveredAt: momentOrNull,
    returnedAt: momentOrNull,
  },
});
