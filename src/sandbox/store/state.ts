/** What the stand-in's books hold. Times are ISO 8601 with milliseconds, amounts decimal text, ids Shopify's GIDs. */

export interface Shop {
  id: string;
  domain: string;
  name: string;
  email: string;
  contactEmail: string;
  currencyCode: string;
  ianaTimezone: string;
  address: Address;
  createdAt: string;
  /** Whether the app is installed: only then webhooks are sent and tokens are good. */
  installed: boolean;
  nextOrderNumber: number;
  locations: Location[];
  fulfillmentServices: FulfillmentService[];
}

export interface Address {
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  province: string | null;
  provinceCode: string | null;
  country: string | null;
  countryCode: string | null;
  zip: string | null;
  phone: string | null;
}

export interface Location {
  id: string;
  name: string;
  isActive: boolean;
  address: Address;
  createdAt: string;
  updatedAt: string;
}

export interface FulfillmentService {
  id: string;
  handle: string;
  serviceName: string;
  callbackUrl: string | null;
  locationId: string;
  inventoryManagement: boolean;
  trackingSupport: boolean;
  requiresShippingMethod: boolean;
  /** False for a service of another app. */
  ownedByApp: boolean;
}

export interface Product {
  id: string;
  shop: string;
  title: string;
  handle: string;
  status: 'ACTIVE' | 'ARCHIVED' | 'DRAFT' | 'UNLISTED';
  vendor: string;
  productType: string;
  tags: string[];
  isGiftCard: boolean;
  options: string[];
  createdAt: string;
  updatedAt: string;
  variants: Variant[];
}

export interface Variant {
  id: string;
  title: string;
  sku: string | null;
  barcode: string | null;
  price: string;
  compareAtPrice: string | null;
  taxable: boolean;
  inventoryPolicy: 'DENY' | 'CONTINUE';
  optionValues: string[];
  createdAt: string;
  updatedAt: string;
  inventoryItem: InventoryItem;
}

export interface InventoryItem {
  id: string;
  tracked: boolean;
  requiresShipping: boolean;
  weightGrams: number;
  createdAt: string;
  updatedAt: string;
  levels: InventoryLevel[];
}

export interface InventoryLevel {
  id: string;
  locationId: string;
  isActive: boolean;
  available: number;
  createdAt: string;
  updatedAt: string;
}

export interface Attribute {
  key: string;
  value: string | null;
}

export interface LocalizedField {
  key: string;
  countryCode: string;
  purpose: string;
  title: string;
  value: string;
}

/** An order with all that belongs to it, kept as one value so that a kill never tears it. */
export interface Order {
  id: string;
  shop: string;
  name: string;
  number: number;
  createdAt: string;
  processedAt: string;
  updatedAt: string;
  cancelledAt: string | null;
  cancelReason: string | null;
  closedAt: string | null;
  test: boolean;
  edited: boolean;
  financialStatus: string;
  currencyCode: string;
  presentmentCurrencyCode: string;
  sourceName: string;
  customerLocale: string | null;
  customerId: string | null;
  email: string | null;
  phone: string | null;
  note: string | null;
  tags: string[];
  customAttributes: Attribute[];
  localizedFields: LocalizedField[];
  shippingAddress: Address | null;
  billingAddress: Address | null;
  shippingLines: ShippingLine[];
  /** SHIPPING, PICK_UP, LOCAL, PICKUP_POINT, RETAIL or NONE: for the lines that need shipping. */
  deliveryMethod: string;
  lineItems: LineItem[];
  /** From when on its fulfillment orders can be fulfilled; before, they are SCHEDULED. null: at once. */
  fulfillAt: string | null;
  /** False until fulfillment orders are made, a moment after the order. */
  routed: boolean;
  fulfillmentOrders: FulfillmentOrder[];
  fulfillments: Fulfillment[];
  refunds: Refund[];
}

export interface ShippingLine {
  id: string;
  title: string;
  code: string | null;
  source: string | null;
  price: string;
}

export interface LineItem {
  id: string;
  productId: string | null;
  variantId: string | null;
  title: string;
  variantTitle: string | null;
  sku: string | null;
  vendor: string | null;
  quantity: number;
  /** Without the units that were removed or refunded. */
  currentQuantity: number;
  price: string;
  grams: number;
  requiresShipping: boolean;
  taxable: boolean;
  isGiftCard: boolean;
  customAttributes: Attribute[];
}

export interface FulfillmentOrder {
  id: string;
  status: 'OPEN' | 'IN_PROGRESS' | 'ON_HOLD' | 'SCHEDULED' | 'CANCELLED' | 'CLOSED' | 'INCOMPLETE';
  requestStatus:
    | 'UNSUBMITTED'
    | 'SUBMITTED'
    | 'ACCEPTED'
    | 'REJECTED'
    | 'CANCELLATION_REQUESTED'
    | 'CANCELLATION_ACCEPTED'
    | 'CANCELLATION_REJECTED'
    | 'CLOSED';
  locationId: string;
  methodType: string;
  deliveryMethodId: string;
  fulfillAt: string | null;
  fulfillBy: string | null;
  createdAt: string;
  updatedAt: string;
  lines: FulfillmentOrderLine[];
  holds: Hold[];
  merchantRequests: MerchantRequest[];
}

export interface FulfillmentOrderLine {
  id: string;
  lineItemId: string;
  totalQuantity: number;
  remainingQuantity: number;
}

export interface Hold {
  id: string;
  handle: string | null;
  reason: string;
  reasonNotes: string | null;
  heldByApp: boolean;
}

export interface MerchantRequest {
  id: string;
  kind: 'FULFILLMENT_REQUEST' | 'CANCELLATION_REQUEST';
  message: string | null;
  notifyCustomer: boolean;
  sentAt: string;
}

export interface Fulfillment {
  id: string;
  name: string;
  status: 'SUCCESS' | 'CANCELLED';
  createdAt: string;
  updatedAt: string;
  locationId: string;
  tracking: Tracking[];
  /** How many mails about it the buyer was sent. */
  notifications: number;
  lines: FulfillmentLine[];
  events: FulfillmentEvent[];
}

export interface Tracking {
  company: string | null;
  number: string | null;
  url: string | null;
}

export interface FulfillmentLine {
  id: string;
  lineItemId: string;
  fulfillmentOrderId: string;
  fulfillmentOrderLineId: string;
  quantity: number;
}

export interface FulfillmentEvent {
  id: string;
  status: string;
  message: string | null;
  happenedAt: string;
  estimatedDeliveryAt: string | null;
  createdAt: string;
}

interface Refund {
  id: string;
  createdAt: string;
  note: string | null;
  lines: { lineItemId: string; quantity: number }[];
}

export interface Metafield {
  id: string;
  ownerId: string;
  namespace: string;
  key: string;
  type: string;
  value: string;
  createdAt: string;
  updatedAt: string;
}
