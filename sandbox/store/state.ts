/** The contents of the stand-in's books. Times are ISO 8601 with milliseconds, amounts are decimal text, and IDs are Shopify's GIDs. */

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
  /** Whether the app is installed. If not, no webhooks are sent and tokens are invalid. */
  installed: boolean;
  /**
   * The app's latest installation, with a new ID after each uninstallation. Null if the app was never installed, and for the seeded
   * installation.
   */
  appInstallationId: string | null;
  /** When the app was last uninstalled. Earlier tokens are invalid. Null if the app was never uninstalled. */
  uninstalledAt: string | null;
  /** The scopes that the merchant has granted. Empty while the app is not installed. */
  grantedScopes: string[];
  /** The merchant's response when the app requests optional scopes. */
  answersRequests: 'grant' | 'refuse';
  nextOrderNumber: number;
  locations: Location[];
  fulfillmentServices: FulfillmentService[];
  /** The app's carrier services. Absent if the app has none. */
  carrierServices?: CarrierService[];
  /** The IDs of the carrier services that the merchant has added to the shipping profile. */
  carriersInProfiles?: string[];
  /** The delivery profiles, with the general one first. If absent, only the general profile exists, with rates for every location. */
  deliveryProfiles?: DeliveryProfile[];
  /** Whether the plan does not include rates from apps. */
  refusesCarriers?: boolean;
  /**
   * The topics of webhook subscriptions that another version of the app created through the API. The sandbox lists them, but sends no
   * webhooks for them.
   */
  apiSubscriptions?: string[];
}

/** A delivery profile: the locations that have rates for its products. */
export interface DeliveryProfile {
  id: string;
  name: string;
  /** Empty for the general profile, which contains all products that are not in another profile. */
  productIds: string[];
  /** Locations that are not in the profile. */
  unassigned: string[];
  /** Locations in the profile that have no rates. */
  withoutRates: string[];
}

/** A service from which a checkout requests shipping rates. */
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

/** An order with all its parts. It is stored as one value, so that a killed process never leaves an order that is only partly written. */
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
  /** Whether the order was imported from a recording. If so, it can be read even if it is older than 60 days. */
  imported?: boolean;
  /** The result of the store's fraud analysis. Absent if the order was not analyzed. */
  risk?: Risk;
  /** The buyer's journey; null for a guest. */
  journey?: Journey | null;
  financialStatus: string;
  /** When the order was paid after it was placed; absent if it was paid when it was placed or is unpaid. */
  paidAt?: string;
  currencyCode: string;
  presentmentCurrencyCode: string;
  /** Whether prices include taxes. If absent, they do not. */
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
  /** SHIPPING, PICK_UP, LOCAL, PICKUP_POINT, RETAIL or NONE, for the lines that need shipping. */
  deliveryMethod: string;
  lineItems: LineItem[];
  /** When the order's fulfillment orders can be fulfilled. Until then, they are SCHEDULED. Null means immediately. */
  fulfillAt: string | null;
  /** False until the order's fulfillment orders exist, which are created shortly after the order. */
  routed: boolean;
  fulfillmentOrders: FulfillmentOrder[];
  fulfillments: Fulfillment[];
  refunds: Refund[];
  /** The buyer's requests to remove items. Absent if there are none. */
  requestedEdits?: RequestedEdit[];
}

/** A buyer's request to remove units, which the merchant resolves or declines. */
export interface RequestedEdit {
  id: string;
  status: 'REQUESTED' | 'RESOLVED' | 'DECLINED';
  requestedAt: string;
  updatedAt: string;
  /** When the merchant resolved or declined the request. */
  endedAt: string | null;
  lines: { id: string; lineItemId: string; quantity: number }[];
}

export type Risk = 'none' | 'low' | 'medium' | 'high' | 'pending';

interface Journey {
  /** 1 for the buyer's first order. Null if the order has not been counted yet or is a test order. */
  customerOrderIndex: number | null;
  ready: boolean;
}

export interface ShippingLine {
  id: string;
  title: string;
  code: string | null;
  source: string | null;
  price: string;
  /** The tax on the price. Absent if there is no tax. The price includes the tax if the order's prices include taxes. */
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
  /** The quantity without removed or refunded units. */
  currentQuantity: number;
  price: string;
  /** The total discount on all units of the line. Absent if there is no discount. */
  discount?: string;
  /** The total tax on all units of the line. Absent if there is no tax. */
  tax?: string;
  grams: number;
  requiresShipping: boolean;
  taxable: boolean;
  isGiftCard: boolean;
  customAttributes: Attribute[];
  /** The bundle that contains the line. Absent if the line does not belong to a bundle. */
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
  /** The last reported progress notes. Absent if there are none. */
  progressNotes?: string | null;
  holds: Hold[];
  merchantRequests: MerchantRequest[];
  /** The service's responses and messages to the merchant. */
  answers?: ServiceResponse[];
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

export interface ServiceResponse {
  answer: 'accept' | 'reject' | 'acceptCancellation' | 'rejectCancellation' | 'close';
  message: string | null;
  /** The reason for a rejected request. */
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
  /** The number of emails about the fulfillment that the buyer received. */
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
    /** Absent if the refund was imported from a recording. */
    restockType?: 'CANCEL' | 'RETURN' | 'NO_RESTOCK';
  }[];
  /** The refunded shipping amount. Absent if no shipping was refunded. */
  shipping?: string;
  /** The total refund. If absent, the sum of its lines and shipping. */
  amount?: string;
}
