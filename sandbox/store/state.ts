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
  /** The latest install of the app, another one after each uninstall; null: never installed, or the seeded one. */
  appInstallationId: string | null;
  /** When the app was last removed: what it was given before is void. null: never. */
  uninstalledAt: string | null;
  /** What the merchant allows the app; empty while it is not installed. */
  grantedScopes: string[];
  /** What the merchant answers when the app asks for optional scopes. */
  answersRequests: 'grant' | 'refuse';
  nextOrderNumber: number;
  locations: Location[];
  fulfillmentServices: FulfillmentService[];
  /** The app's; left out: none. */
  carrierServices?: CarrierService[];
  /** Ids of those that the merchant has added to the shipping profile. */
  carriersInProfiles?: string[];
  /** The delivery profiles, the general one first; left out: that one alone, with rates for every location. */
  deliveryProfiles?: DeliveryProfile[];
  /** Whether the plan has no rates of apps. */
  refusesCarriers?: boolean;
}

/** Which rates products have from which location. */
export interface DeliveryProfile {
  id: string;
  name: string;
  /** Of the general profile none: it has all that are in no other. */
  productIds: string[];
  /** Locations that it does not know. */
  unassigned: string[];
  /** Locations that it has without any rate. */
  withoutRates: string[];
}

/** What a checkout asks for shipping rates. */
export interface CarrierService {
  id: string;
  name: string;
  callbackUrl: string;
  active: boolean;
  supportsServiceDiscovery: boolean;
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
  /** From a recording: it may be older than orders that are read are. */
  imported?: boolean;
  /** What the store's fraud analysis says of it; left out: it was not analysed. */
  risk?: Risk;
  /** Of the buyer; null: a guest's. */
  journey?: Journey | null;
  financialStatus: string;
  currencyCode: string;
  presentmentCurrencyCode: string;
  /** Whether prices have the taxes in them; left out: they do not. */
  taxesIncluded?: boolean;
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

export type Risk = 'none' | 'low' | 'medium' | 'high' | 'pending';

interface Journey {
  /** 1 is the buyer's first order; null: not counted yet, or a test order. */
  customerOrderIndex: number | null;
  ready: boolean;
}

export interface ShippingLine {
  id: string;
  title: string;
  code: string | null;
  source: string | null;
  price: string;
  /** The tax on it, left out: none; in the price where the order has its taxes included. */
  tax?: string;
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
  /** Off all its units together, whatever the discount; left out: none. */
  discount?: string;
  /** The tax on all its units together; left out: none. */
  tax?: string;
  grams: number;
  requiresShipping: boolean;
  taxable: boolean;
  isGiftCard: boolean;
  customAttributes: Attribute[];
  /** The bundle it is a component of. */
  group?: { id: string; title: string; quantity: number; customAttributes: Attribute[] };
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
  /** What was last said of the progress; left out: nothing. */
  progressNotes?: string | null;
  holds: Hold[];
  merchantRequests: MerchantRequest[];
  /** What the service answered and said, for the merchant to read. */
  answers?: ServiceAnswer[];
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

export interface ServiceAnswer {
  answer: 'accept' | 'reject' | 'acceptCancellation' | 'rejectCancellation' | 'close';
  message: string | null;
  /** Of a rejected request. */
  reason: string | null;
  lines: { id: string; message: string | null }[];
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
  place?: EventPlace;
}

interface EventPlace {
  address1: string | null;
  city: string | null;
  province: string | null;
  country: string | null;
  zip: string | null;
  latitude: number | null;
  longitude: number | null;
}

export interface Refund {
  id: string;
  createdAt: string;
  note: string | null;
  lines: {
    lineItemId: string;
    quantity: number;
    /** Left out: from a recording. */
    restockType?: 'CANCEL' | 'RETURN' | 'NO_RESTOCK';
  }[];
  /** Of the shipping; left out: nothing. */
  shipping?: string;
  /** All that was given back; left out: what its lines and its shipping come to. */
  amount?: string;
}
