import type { CreateOrderRequest } from './current/orders-v3.ts';
import type { QuoteRequest } from './current/orders-v4.ts';
import type { LegacyHost } from './http/send.ts';

/** The interfaces through which an order can be printed: the current one (v3 and v4 calls), and the two earlier ones. */
export const printInterfaces = ['current', 'v2', 'v1'] as const;
export type PrintInterface = (typeof printInterfaces)[number];

/** Determines how an order reaches the service. */
export interface PortChoice {
  printInterface: PrintInterface;
  /** Used only for the earlier interfaces. */
  legacyHost: LegacyHost;
}

/** The value in place of a call that an interface does not support. */
export type Unsupported = 'unsupported';

/** Envelopes, ordered in addition to a product (docs/rules/print-interface.md#v2-quote). Only one earlier interface accepts them. */
interface Envelopes {
  productUid: string;
  quantity: number;
}

/** A quote request in the current interface, plus envelopes. */
export type PortQuoteRequest = Omit<QuoteRequest, 'products'> & {
  products: (QuoteRequest['products'][number] & { envelopes?: Envelopes })[];
};

/** The promise from which the earlier interfaces create an order. Valid until `expiresAt` (ISO 8601). */
export interface ShippingPromise {
  uid: string;
  expiresAt: string;
}

/** A shipping method of a quote. Dates are YYYY-MM-DD. */
export interface PortMethod {
  shipmentMethodUid: string;
  name: string | null;
  type: string | null;
  /** Empty if the service provides no price. In that case, the currency is also empty. */
  price: number | string;
  currency: string;
  minDeliveryDate: string | null;
  maxDeliveryDate: string | null;
  isPrivate: boolean | null;
  isBusiness: boolean | null;
  /** Who pays duties, such as `DDP`. Null if the quote does not specify it. */
  incoTerms: string | null;
  numberOfParcels: number | null;
  /** Null if orders are not created from promises. */
  promise: ShippingPromise | null;
}

/** One facility's offer for some of the items. */
export interface PortQuote {
  id: string | null;
  itemReferenceIds: string[];
  fulfillmentCountry: string | null;
  shipmentMethods: PortMethod[];
  /** The prices of the products, if the interface provides them. */
  products: unknown[];
}

/**
 * The body of all create requests with one reference, without `orderType`. If orders are created from promises, the body contains the
 * chosen promise.
 */
export type PrintOrderBody = Omit<CreateOrderRequest, 'orderType'> & { promise?: ShippingPromise };

/** An order or draft at the service, as a search returns it. */
export interface FoundOrder {
  /** The service's ID. In the earlier interfaces, which return no ID, this is the order reference. */
  id: string;
  orderReferenceId: string;
  orderType: string | null;
  fulfillmentStatus: string | null;
  financialStatus: string | null;
  connectedOrderIds: string[];
  createdAt: string | null;
}

/** A record of a search. `lostField` is the path of its first field from which Platen follows the order, but that is not readable. */
export type FoundRecord = FoundOrder & { lostField?: string | null };

/** References or IDs to search for. */
export type FindFilter = { orderReferenceIds: string[] } | { ids: string[] };

/** A line in an item's production log, from the earlier interfaces. */
export interface ProductionLogLine {
  itemReferenceId: string;
  date: string | null;
  printJobId: string | null;
  message: string | null;
}

/** An address as the service returns it. Fields that the service does not return are null. */
export type PortAddress = Record<
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
export interface PortOrder extends FoundOrder {
  items: {
    id: string;
    itemReferenceId: string;
    productUid: string | null;
    quantity: number | null;
    fulfillmentStatus: string | null;
  }[];
  /** Null if the interface does not return the currency. */
  currency: string | null;
  shippingAddress: PortAddress | null;
  shipment: {
    shipmentMethodUid: string | null;
    shipmentMethodName: string | null;
    packages: { trackingCode: string | null; trackingUrl: string | null; orderItemIds: string[] }[];
  } | null;
  productionLog: ProductionLogLine[];
  /** All costs of the order. Empty for a draft, or if the interface does not return costs. */
  receipts: ({ id: string | null } & Record<string, unknown>)[];
  /** The merchant's company, which is billed. Null if the interface does not return it. */
  billingEntity: Record<string, unknown> | null;
}

export interface CreateOptions {
  orderType: 'order' | 'draft';
  /** The time after which the request body is no longer sent, as a value of `clock.ticks()`. */
  sendDeadline?: number;
}

/**
 * The calls for submitting and following a print order, for any interface. A call that the interface lacks is `unsupported`. Without
 * `confirm`, an order is created directly. Without `status`, the order is followed with `find`. Each call throws a PrintServiceError on
 * failure.
 */
export interface PrintPort {
  readonly printInterface: PrintInterface;
  /** Maximum number of references or IDs that one request of `find` covers. */
  readonly foundPerRequest: number;
  quote(request: PortQuoteRequest): Promise<PortQuote[]>;
  create(body: PrintOrderBody, options: CreateOptions): Promise<PortOrder>;
  /**
   * Yields the orders and drafts with these references or IDs, in no guaranteed order. Pages are read only as needed. A record with an
   * unreadable field is an error, because it proves nothing about its order.
   */
  find(filter: FindFilter): AsyncIterable<FoundOrder>;
  /** Works like `find`, but also yields a record with an unreadable field, so that one order does not stop the poll of the others. */
  findAll(filter: FindFilter): AsyncIterable<FoundRecord>;
  /** Turns a draft into an order. */
  confirm: ((orderId: string) => Promise<PortOrder>) | Unsupported;
  /** Reads an order. `isNewlyCreated`: the order was just created, so its status may not be visible yet. */
  status: ((orderId: string, options?: { isNewlyCreated?: boolean }) => Promise<PortOrder>) | Unsupported;
  cancel: ((orderId: string) => Promise<void>) | Unsupported;
  deleteDraft: ((orderId: string) => Promise<void>) | Unsupported;
}

/**
 * Returns whether drafts can be confirmed, so that orders may be submitted as drafts. The current interface's `confirm` is an extended
 * call.
 */
export function canConfirmDrafts(printInterface: PrintInterface, extendedCalls: boolean): boolean {
  return printInterface === 'current' && extendedCalls;
}
