import type { CreateOrderRequest } from './current/orders-v3.ts';
import type { QuoteRequest } from './current/orders-v4.ts';
import type { LegacyHost } from './http/send.ts';

/** The interfaces through which an order can be printed: the current one (v3 and v4 calls), and the two earlier ones. */
export const printInterfaces = ['current', 'v2', 'v1'] as const;
export type PrintInterface = (typeof printInterfaces)[number];

/** Decides how an order reaches the service. */
export interface PortChoice {
  printInterface: PrintInterface;
  /** Used only for the earlier interface. */
  legacyHost: LegacyHost;
}

/** The value of a call that an interface does not have. */
export type Unsupported = 'unsupported';

/** Ordered in addition to a product (docs/rules/print-interface.md#v2-quote); only v2 accepts it. */
interface Envelopes {
  productUid: string;
  quantity: number;
}

/** A quote request of the current interface, plus the envelopes of v2. */
export type PortQuoteRequest = Omit<QuoteRequest, 'products'> & {
  products: (QuoteRequest['products'][number] & { envelopes?: Envelopes })[];
};

/** The promise that the earlier interface creates an order from; valid until `expiresAt` (ISO 8601). */
export interface ShippingPromise {
  uid: string;
  expiresAt: string;
}

/** A way to ship a quote. Dates are YYYY-MM-DD. */
export interface PortMethod {
  shipmentMethodUid: string;
  name: string | null;
  type: string | null;
  /** Empty, like the currency, if the service gives none. */
  price: number | string;
  currency: string;
  minDeliveryDate: string | null;
  maxDeliveryDate: string | null;
  isPrivate: boolean | null;
  isBusiness: boolean | null;
  /** Who pays duties, such as `DDP`; null if the quote does not say. */
  incoTerms: string | null;
  numberOfParcels: number | null;
  /** Null if orders are not created from promises. */
  promise: ShippingPromise | null;
}

/** The offer of one facility for some of the items. */
export interface PortQuote {
  id: string | null;
  itemReferenceIds: string[];
  fulfillmentCountry: string | null;
  shipmentMethods: PortMethod[];
  /** The prices of the products, if the interface gives them. */
  products: unknown[];
}

/** The body that a reference stands for, without `orderType`; with the chosen promise if an order is created from one. */
export type PrintOrderBody = Omit<CreateOrderRequest, 'orderType'> & { promise?: ShippingPromise };

/** An order or draft of the service, as a search shows it. */
export interface FoundOrder {
  /** In the earlier interface, which shows no other id, the reference. */
  id: string;
  orderReferenceId: string;
  orderType: string | null;
  fulfillmentStatus: string | null;
  financialStatus: string | null;
  connectedOrderIds: string[];
  createdAt: string | null;
}

/** A line of the earlier interface's production log of an item. */
export interface ProductionLogLine {
  itemReferenceId: string;
  date: string | null;
  printJobId: string | null;
  message: string | null;
}

/** An address as the service echoes it; null for fields that it does not show. */
export type ShownAddress = Record<
  | 'firstName'
  | 'lastName'
  | 'companyName'
  | 'addressLine1'
  | 'addressLine2'
  | 'city'
  | 'postCode'
  | 'state'
  | 'country'
  | 'email',
  string | null
>;

/** An order or draft with its items and packages. */
export interface ShownOrder extends FoundOrder {
  items: {
    id: string;
    itemReferenceId: string;
    productUid: string | null;
    quantity: number | null;
    fulfillmentStatus: string | null;
  }[];
  /** Null if the interface does not show it. */
  currency: string | null;
  shippingAddress: ShownAddress | null;
  shipment: {
    shipmentMethodUid: string | null;
    shipmentMethodName: string | null;
    packages: { trackingCode: string | null; trackingUrl: string | null; orderItemIds: string[] }[];
  } | null;
  productionLog: ProductionLogLine[];
  /** The complete costs; empty for a draft, or if the interface does not show them. */
  receipts: ({ id: string | null } & Record<string, unknown>)[];
  /** The merchant's company, which pays; null if the interface does not show it. */
  billingEntity: Record<string, unknown> | null;
}

export interface CreateOptions {
  orderType: 'order' | 'draft';
  /** A value of performance.now() after which the body is not written. */
  sendDeadline?: number;
}

/**
 * The calls that submitting and following a print order need, for any interface. A call that the interface lacks is `unsupported`: without
 * `confirm` an order is created directly, without `status` it is followed by `find`. Each call throws a PrintServiceError.
 */
export interface PrintPort {
  readonly printInterface: PrintInterface;
  quote(request: PortQuoteRequest): Promise<PortQuote[]>;
  create(body: PrintOrderBody, options: CreateOptions): Promise<ShownOrder>;
  /** The orders and drafts of these references or ids, in no guaranteed order; read only as far as needed. */
  find(filter: { orderReferenceIds: string[] } | { ids: string[] }): AsyncIterable<FoundOrder>;
  /** Turns a draft into an order. */
  confirm: ((orderId: string) => Promise<ShownOrder>) | Unsupported;
  /** `isYoung`: it was just created and may not be visible yet. */
  status: ((orderId: string, options?: { isYoung?: boolean }) => Promise<ShownOrder>) | Unsupported;
  cancel: ((orderId: string) => Promise<void>) | Unsupported;
  deleteDraft: ((orderId: string) => Promise<void>) | Unsupported;
}

/** Whether a draft can be confirmed, so that orders may be submitted as drafts: `confirm` of the current interface is an extended call. */
export function canConfirmDrafts(printInterface: PrintInterface, extendedCalls: boolean): boolean {
  return printInterface === 'current' && extendedCalls;
}
