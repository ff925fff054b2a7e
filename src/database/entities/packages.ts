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
  defaultTimestamp,
} from './columns.ts';

/** One of a print order's tracking codes. */
export interface Package {
  id: string;
  printOrderId: string;
  /** The ID of the service order that shipped the package. A print order may be divided into several connected service orders. */
  serviceOrderId: string;
  trackingCode: string;
  /** An https URL. If null, the store derives the URL from the code. */
  trackingUrl: string | null;
  shipmentMethodUid: string | null;
  shipmentMethodName: string | null;
  seenAt: Date;
  /** When a response from the service confirmed the code. The buyer may be notified only after this time. */
  confirmedAt: Date | null;
  pushedAt: Date | null;
  /** When the service replaced the code with another code. */
  replacedAt: Date | null;
  /** When the store last refused this package's fulfillment. */
  refusedAt: Date | null;
}

/** An item known to be in a package. */
export interface PackageItem {
  packageId: string;
  itemReferenceId: string;
  /** The number of units of the item in the service order that shipped the package. Null stands for the whole line. */
  quantity: number | null;
}

/** A fulfillment in the store that Platen created or intended to create. The row is committed before the request. */
export interface Fulfillment {
  id: string;
  shopId: number;
  storefrontOrderId: string;
  printOrderId: string;
  shopifyFulfillmentOrderId: string;
  shopifyFulfillmentId: string | null;
  state: 'sending' | 'done' | 'unclear' | 'refused';
  lines: { shopifyLineItemId: string; quantity: number }[];
  trackingCodes: string[];
  begunAt: Date;
  endedAt: Date | null;
  /** The fulfillment events (FulfillmentEventStatus) that were reported to the store. */
  sentEvents: string[];
}

export const Packages = new EntitySchema<Package>({
  name: 'Package',
  tableName: 'packages',
  columns: {
    id: bigId,
    printOrderId: owner,
    serviceOrderId: text,
    trackingCode: text,
    trackingUrl: textOrNull,
    shipmentMethodUid: textOrNull,
    shipmentMethodName: textOrNull,
    seenAt: insertTimestamp,
    confirmedAt: timestampOrNull,
    pushedAt: timestampOrNull,
    replacedAt: timestampOrNull,
    refusedAt: timestampOrNull,
  },
});

export const PackageItems = new EntitySchema<PackageItem>({
  name: 'PackageItem',
  tableName: 'package_items',
  columns: {
    packageId: { type: 'bigint', primary: true },
    itemReferenceId: { type: 'text', primary: true },
    quantity: integerOrNull,
  },
});

export const Fulfillments = new EntitySchema<Fulfillment>({
  name: 'Fulfillment',
  tableName: 'fulfillments',
  columns: {
    id: bigId,
    shopId: integer,
    storefrontOrderId: owner,
    printOrderId: owner,
    shopifyFulfillmentOrderId: text,
    shopifyFulfillmentId: textOrNull,
    state: text,
    lines: { type: 'jsonb' },
    trackingCodes: { type: 'text', array: true },
    begunAt: defaultTimestamp,
    endedAt: timestampOrNull,
    sentEvents: { name: 'told_events', type: 'text', array: true, default: [] },
  },
});
