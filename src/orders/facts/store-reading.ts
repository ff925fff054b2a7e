import type { OrderSaleReading } from '../../shopify/calls/order-sale.ts';

/** The store's data about an order that the plan reads, with Shopify's names but with flat lists. */
export interface StoreReading {
  id: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  cancelledAt: string | null;
  test: boolean;
  displayFinancialStatus: string | null;
  /** `REQUESTED` while at least one of the buyer's requests to remove items is open. Null if the store refuses to show it. */
  displayRequestedEditStatus: string | null;
  email: string | null;
  currentTotalPriceSet: { shopMoney: { amount: string; currencyCode: string } };
  totalRefundedSet: { shopMoney: { amount: string } };
  risk: { recommendation: string; assessments: { riskLevel: string }[] };
  /** `ready` means that the store has finished counting the buyer's earlier orders. */
  customerJourneySummary: { customerOrderIndex: number | null; ready: boolean } | null;
  /** Null if the buyer is a guest or the customer was not read. */
  customer: { id: string } | null;
  /** The amount that the buyer paid. Null if it was not read. */
  sale?: OrderSaleReading | null;
  customAttributes: { key: string; value: string | null }[];
  localizedFields: { key: string; title: string; value: string; countryCode: string }[];
  shippingAddress: StoreMailingAddress | null;
  shippingLines: { title: string; code: string | null }[];
  lineItems: StoreLineItem[];
  fulfillmentOrders: StoreFulfillmentOrder[];
  fulfillments: StoreFulfillment[];
  /** Fields that are empty because the app is not approved for protected customer data, such as `email`, `shippingAddress.zip`. */
  protectedFieldsMissing: string[];
}

interface StoreMailingAddress {
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  province: string | null;
  provinceCode: string | null;
  countryCodeV2: string | null;
  zip: string | null;
  phone: string | null;
}

export interface StoreLineItem {
  id: string;
  sku: string | null;
  /** Ordered units, including those that were removed or refunded later. */
  quantity: number;
  currentQuantity: number;
  /** Units that are neither fulfilled nor removed. */
  unfulfilledQuantity: number;
  requiresShipping: boolean;
  isGiftCard: boolean;
  /** Personal data, because the buyer chose or typed these values. */
  customAttributes: { key: string; value: string | null }[];
  /** The bundle that contains the line, with the buyer's input for the whole bundle. */
  lineItemGroup: { id: string; customAttributes: { key: string; value: string | null }[] } | null;
  /** The variant's title when the order was placed. Null for a custom line. */
  variantTitle: string | null;
  vendor: string | null;
  /** Null for a custom line, or if the variant was deleted. */
  variant: { id: string } | null;
  /** Null for a custom line, or if the product was deleted. */
  product: { id: string; tags: string[] } | null;
}

export interface StoreFulfillmentOrder {
  id: string;
  status: string;
  requestStatus: string;
  fulfillAt: string | null;
  assignedLocation: { location: { id: string; isFulfillmentService: boolean } | null };
  deliveryMethod: { methodType: string } | null;
  fulfillmentHolds: { id: string; handle: string | null; heldByRequestingApp: boolean }[];
  merchantRequests: { kind: string }[];
  lineItems: StoreFulfillmentOrderLine[];
}

interface StoreFulfillmentOrderLine {
  id: string;
  totalQuantity: number;
  remainingQuantity: number;
  lineItem: { id: string };
}

export interface StoreFulfillment {
  id: string;
  createdAt: string;
  status: string;
  lines: { lineItem: { id: string }; quantity: number }[];
  trackingCodes: string[];
}
