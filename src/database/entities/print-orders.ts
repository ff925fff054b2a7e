import { EntitySchema } from 'typeorm';
import {
  bigId,
  owner,
  integer,
  integerOrNull,
  text,
  textOrNull,
  timestampOrNull,
  insertTimestamp,
  updateTimestamp,
  defaultTimestamp,
} from './columns.ts';

/** The states of a print order. `orders/facts/order-state.ts` defines their transitions. */
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
  /** The print service interface that this print order uses, which never changes. `legacyHost` applies only to the earlier interfaces. */
  printInterface: 'current' | 'v2' | 'v1';
  legacyHost: 'live' | 'test';
  /** A hash of the recipient and of the lines that the plan prints. If either changes, the print order needs a new reference. */
  planSha256: string;
  /** JSON of the recipient as the print service accepts it, encrypted. Personal data. */
  recipientEncrypted: string | null;
  quote: Record<string, unknown> | null;
  shipmentMethodUid: string | null;
  /** JSON of the create request, encrypted. Personal data. */
  bodyEncrypted: string | null;
  bodySha256: string | null;
  /** The ID of the chosen order or draft. Written once by compare-and-set. */
  serviceOrderId: string | null;
  confirmStartedAt: Date | null;
  confirmedAt: Date | null;
  cancelRequestedAt: Date | null;
  closedAt: Date | null;
  closedReason: string | null;
  /**
   * When Platen proved that no live order or draft exists at the service under the closed print order's reference. From then on, the units
   * of the print order count as not printed.
   */
  fencedAt: Date | null;
  /** The value of the service's fulfillmentStatus, unchanged. */
  serviceStatus: string | null;
  financialStatus: string | null;
  shippedAt: Date | null;
  followedAt: Date | null;
  /** When the print service last reported a new status. Null if the service has reported none since the print order was confirmed. */
  progressAt: Date | null;
  /** Whether the print order stays a draft in the service's dashboard until someone releases it there. */
  isLeftAsDraft: boolean;
  /** When a person requested a reprint of the units. From then on, they do not count as printed. */
  printAgainAt: Date | null;
  /** Expected arrival date, YYYY-MM-DD, from the service's latest message. */
  minDeliveryDate: string | null;
  maxDeliveryDate: string | null;
  /** When the start of printing was reported to the store. */
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
  /**
   * The print file. Null if the line has no file, or if the line has its own file, which is stored with the recipient
   * (`orders/facts/recipient-column.ts`).
   */
  fileUrl: string | null;
  pageCount: number | null;
  /** The envelopes that are ordered for all of the line's units, in addition to the product. Both fields are null or both are set. */
  envelopeProductUid: string | null;
  envelopeQuantity: number | null;
  quantity: number;
  /** Units of the LineItem that the store had already fulfilled when the line was planned. */
  fulfilledBefore: number;
  serviceStatus: string | null;
  /** When a person requested a reprint of the line's units, because the service will not print them under this reference. */
  printAgainAt: Date | null;
  /**
   * Units that failed or were canceled in one part of the order while the rest of the line is printed, according to the service's last
   * response.
   */
  unitsOver: number;
  /** How many of the units in `unitsOver` are reprinted because a person requested a reprint. */
  unitsAgain: number;
}

/** How a print order deviates from its plan or its request, and the decisions about the deviation. Most print orders have none. */
export interface Deviation {
  printOrderId: string;
  /** When a person asked Platen to confirm the draft, although the shop leaves its drafts unconfirmed. */
  releasedAt: Date | null;
  /**
   * A hash of an edit that someone made to the draft at the service, set while the print order is held because of the edit. An edited draft
   * is never deleted without a decision.
   */
  draftEdit: string | null;
  /** A hash of the draft edit that someone accepted: the draft is confirmed with this edit. */
  acceptedDraftEdit: string | null;
  /** When the service refused to cancel the print order, and the reason to show the merchant. */
  cancelRefusedAt: Date | null;
  cancelRefusedWhy: string | null;
  /** A hash of how the store's order differs from the print order that was sent. Null if they agree. */
  presentChange: string | null;
  /** A hash of a change to the store's order that someone accepted for this print order. */
  acceptedChange: string | null;
}

/** The service's latest comment on a status that needs the merchant's attention. Only events have comments. */
export interface ServiceComment {
  printOrderId: string;
  /** Empty if the comment is about the whole order. */
  itemReferenceId: string;
  /** The comment applies only while the order or item has this status. */
  status: string;
  comment: string;
}

export type AttemptOutcome = 'done' | 'refused' | 'account_refused' | 'nothing_made' | 'unclear' | 'absent';

/** One create request. Its row is committed before the request. */
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
  /**
   * The number of searches that did not find this attempt's order, although they found the control: a known order that the search must
   * show.
   */
  absentSearches: number;
}

/** An order or draft that the service has returned under one of Platen's references. */
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
  /** When the order's parcels were first reported as on their way to the buyer, and as delivered. */
  inTransitAt: Date | null;
  deliveredAt: Date | null;
  /** When the order's parcels were reported as returned. Null once they are on their way again. */
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
    confirmStartedAt: timestampOrNull,
    confirmedAt: timestampOrNull,
    cancelRequestedAt: timestampOrNull,
    closedAt: timestampOrNull,
    closedReason: textOrNull,
    fencedAt: timestampOrNull,
    serviceStatus: textOrNull,
    financialStatus: textOrNull,
    shippedAt: timestampOrNull,
    followedAt: timestampOrNull,
    progressAt: timestampOrNull,
    isLeftAsDraft: { type: 'boolean', default: false },
    printAgainAt: timestampOrNull,
    minDeliveryDate: textOrNull,
    maxDeliveryDate: textOrNull,
    progressReportedAt: timestampOrNull,
    createdAt: insertTimestamp,
    updatedAt: updateTimestamp,
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
    printAgainAt: timestampOrNull,
    unitsOver: { type: 'integer', default: 0 },
    unitsAgain: { type: 'integer', default: 0 },
  },
});

export const Deviations = new EntitySchema<Deviation>({
  name: 'Deviation',
  tableName: 'deviations',
  columns: {
    printOrderId: { type: 'bigint', primary: true },
    releasedAt: timestampOrNull,
    draftEdit: textOrNull,
    acceptedDraftEdit: textOrNull,
    cancelRefusedAt: timestampOrNull,
    cancelRefusedWhy: textOrNull,
    presentChange: textOrNull,
    acceptedChange: textOrNull,
  },
});

export const ServiceComments = new EntitySchema<ServiceComment>({
  name: 'ServiceComment',
  tableName: 'service_comments',
  columns: {
    printOrderId: { type: 'bigint', primary: true },
    itemReferenceId: { type: 'text', primary: true },
    status: text,
    comment: text,
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
    begunAt: defaultTimestamp,
    endedAt: timestampOrNull,
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
    seenAt: insertTimestamp,
    deletedAt: timestampOrNull,
    inTransitAt: timestampOrNull,
    deliveredAt: timestampOrNull,
    returnedAt: timestampOrNull,
  },
});
