import type { CreateOrderRequest } from './current/orders-v3.ts';
import type { QuoteRequest } from './current/orders-v4.ts';
import type { LegacyHost } from './http/send.ts';

/** The interfaces through which an order can be printed: the current one (v3 and v4 calls), and the two earlier ones. */
export const printInterfaces = ['current', 'v2', 'v1'] as const;
export type PrintInterface = (typeof printInterfaces)[number];

/** What decides how an order reaches the service. */
export interface PortChoice {
  printInterface: PrintInterface;
  /** Of the earlier interface. */
  legacyHost: LegacyHost;
}

/** Said in place of a call that an interface does not have. */
export type Unsupported = 'unsupported';

/** What is ordered beside a product (interface page, Earlier interface v2, Option); only v2 takes it. */
interface Envelopes {
  productUid: string;
  quantity: number;
}

/** A quote as the current interface asks for it, with the envelopes that v2 takes. */
export type PortQuoteRequest = Omit<QuoteRequest, 'products'> & {
  products: (QuoteRequest['products'][number] & { envelopes?: Envelopes })[];
};

/** What the earlier interface orders by: it holds until `expiresAt`, ISO 8601. */
export interface ShippingPromise {
  uid: string;
  expiresAt: string;
}

/** A way to ship a quote. Dates are YYYY-MM-DD. */
export interface PortMethod {
  shipmentMethodUid: string;
  name: string | null;
  type: string | null;
  /** Empty, as the currency, where the service tells none. */
  price: number | string;
  currency: string;
  minDeliveryDate: string | null;
  maxDeliveryDate: string | null;
  isPrivate: boolean | null;
  isBusiness: boolean | null;
  /** Who pays duties, such as `DDP`; null where the quote does not say. */
  incoTerms: string | null;
  numberOfParcels: number | null;
  /** null where an order is not made from a promise. */
  promise: ShippingPromise | null;
}

/** What one facility offers for some of the items. */
export interface PortQuote {
  id: string | null;
  itemReferenceIds: string[];
  fulfillmentCountry: string | null;
  shipmentMethods: PortMethod[];
  /** The prices of the products, where the interface tells them. */
  products: unknown[];
}

/** The body that a reference stands for, its `orderType` apart; with the chosen promise where an order is made from one. */
export type PrintOrderBody = Omit<CreateOrderRequest, 'orderType'> & { promise?: ShippingPromise };

/** An order or draft of the service, as a search shows it. */
export interface FoundOrder {
  /** In the earlier interface, whose calls show no other, the reference. */
  id: string;
  orderReferenceId: string;
  orderType: string | null;
  fulfillmentStatus: string | null;
  financialStatus: string | null;
  connectedOrderIds: string[];
  createdAt: string | null;
}

/** A line of what the earlier interface tells of the production of an item. */
export interface ProductionLogLine {
  itemReferenceId: string;
  date: string | null;
  printJobId: string | null;
  message: string | null;
}

/** An address as the service echoes it; null where it tells nothing. */
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
  /** null where the interface does not tell it. */
  currency: string | null;
  shippingAddress: ShownAddress | null;
  shipment: {
    shipmentMethodUid: string | null;
    shipmentMethodName: string | null;
    packages: { trackingCode: string | null; trackingUrl: string | null; orderItemIds: string[] }[];
  } | null;
  productionLog: ProductionLogLine[];
  /** What it costs, whole; none of a draft, and none where the interface tells of none. */
  receipts: ({ id: string | null } & Record<string, unknown>)[];
  /** The merchant's company, which pays; null where the interface does not tell it. */
  billingEntity: Record<string, unknown> | null;
}

export interface CreateOptions {
  orderType: 'order' | 'draft';
  /** A value of performance.now(): the body is not written after it. */
  sendDeadline?: number;
}

/**
 * What submitting and following a print order need of the service, whichever interface it is made through. A call that the
 * interface lacks is `unsupported`: without `confirm` an order is created directly, without `status` it is followed by `find`.
 * Each call throws a PrintServiceError.
 */
export interface PrintPort {
  readonly printInterface: PrintInterface;
  quote(request: PortQuoteRequest): Promise<PortQuote[]>;
  create(body: PrintOrderBody, options: CreateOptions): Promise<ShownOrder>;
  /** The orders and drafts of these references or ids, in no promised order; read as far as they are asked for. */
  find(filter: { orderReferenceIds: string[] } | { ids: string[] }): AsyncIterable<FoundOrder>;
  /** Turns a draft into an order. */
  confirm: ((orderId: string) => Promise<ShownOrder>) | Unsupported;
  /** `isYoung`: it was just made, and may not be shown yet. */
  status: ((orderId: string, options?: { isYoung?: boolean }) => Promise<ShownOrder>) | Unsupported;
  cancel: ((orderId: string) => Promise<void>) | Unsupported;
  deleteDraft: ((orderId: string) => Promise<void>) | Unsupported;
}

/** Whether a draft can be confirmed, and so be the way of submitting: `confirm` of the current interface is beyond the page. */
export function canConfirmDrafts(printInterface: PrintInterface, extendedCalls: boolean): boolean {
  return printInterface === 'current' && extendedCalls;
}
