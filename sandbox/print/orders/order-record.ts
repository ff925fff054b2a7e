import type { createOrderRequestSchema } from '../../../src/print/current/orders-v3.ts';
import type { z } from 'zod';

export interface OrderFile {
  type: string;
  url: string;
}

export interface OrderItem {
  id: string;
  itemReferenceId: string;
  productUid: string;
  productName: string;
  pageCount: number | null;
  fileUrl: string | null;
  files: OrderFile[];
  processedFileUrl: string | null;
  quantity: number;
  fulfillmentStatus: string;
  previews: { type: string; url: string }[];
  price: number;
}

export interface OrderPackage {
  id: string;
  orderItemIds: string[];
  trackingCode: string;
  trackingUrl: string;
}

export interface OrderShipment {
  id: string;
  shipmentMethodName: string;
  shipmentMethodUid: string;
  minDeliveryDays: number;
  maxDeliveryDays: number;
  minDeliveryDate: string;
  maxDeliveryDate: string;
  totalWeight: number;
  price: number;
  fulfillmentCountry: string;
  fulfillmentStateProvince: string | null;
  fulfillmentFacilityId: string;
  packagesCount: number;
  packages: OrderPackage[];
}

/** An order as Order Get shows it (docs/rules/print-interface.md#order). */
export interface Order {
  id: string;
  orderType: 'order' | 'draft';
  orderReferenceId: string;
  customerReferenceId: string;
  fulfillmentStatus: string;
  financialStatus: string;
  currency: string;
  channel: string;
  storeId: string | null;
  createdAt: string;
  updatedAt: string;
  orderedAt: string | null;
  items: OrderItem[];
  metadata: { key: string; value: string }[];
  shipment: OrderShipment;
  billingEntity: Record<string, string>;
  shippingAddress: Record<string, unknown> & { country: string; firstName: string; lastName: string };
  returnAddress: Record<string, unknown> | null;
  receipts: Receipt[];
  connectedOrderIds: string[];
  refusalReason: string | null;
  refusalReasonCode: string | null;
}

/** A receipt as the service returns it. */
export interface Receipt {
  id: string;
  orderId: string;
  transactionType: 'purchase' | 'refund';
  currency: string;
  totalInclVat: number;
  items: { type: 'product' | 'shipment' | 'packaging'; referenceId: string; [value: string]: unknown }[];
  [sum: string]: unknown;
}

export type CreateRequest = z.output<typeof createOrderRequestSchema>;

/** An order in the books. */
export interface OrderRecord {
  /** The key of the order's account. */
  account: string;
  /** Milliseconds since 1970. Searches show the order `searchLagMs` later. */
  createdMs: number;
  /** The time of the last status change, in milliseconds since 1970. It determines when the next status is due. */
  movedMs: number;
  /** The requested shipping method: `normal`, a method's uid, a list of these values, or null for the cheapest method. */
  shipmentMethod: string | null;
  deleted: boolean;
  order: Order;
}

/** Formats a time for orders and events (docs/rules/print-interface.md#timestamps-and-dates): `2021-01-14T12:30:03+00:00`. */
export function toTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
}
