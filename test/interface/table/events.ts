import {
  FURTHER_ORDER_STATUSES,
  FURTHER_STOCK_STATUSES,
  OLDER_ITEM_STATUSES,
  OLDER_ORDER_ITEM_STATUSES,
  OLDER_ORDER_STATUSES,
  ORDER_STATUSES,
  STOCK_STATUSES,
} from './states.ts';
import { storeProductEventFields, templateEventFields } from './store-products.ts';
import type { EventKind, Field } from './table.ts';

// The payloads in docs/rules/print-interface.md#events, in both styles.

const id: Field = { name: 'id', type: 'string' };
const orderId: Field = { name: 'orderId', type: 'string' };
/** On the page: "null when placed via UI or API". */
const storeId: Field = { name: 'storeId', type: 'string', nullable: true };
const orderReferenceId: Field = { name: 'orderReferenceId', type: 'string' };
const itemReferenceId: Field = { name: 'itemReferenceId', type: 'string' };
const created: Field = { name: 'created', type: 'timestamp' };
const tracking: readonly Field[] = [
  { name: 'trackingCode', type: 'string' },
  { name: 'trackingUrl', type: 'string' },
  { name: 'shipmentMethodName', type: 'string' },
  { name: 'shipmentMethodUid', type: 'string' },
];
/** A facility's state is null if the country has no states. */
const place: readonly Field[] = [
  { name: 'fulfillmentCountry', type: 'string' },
  { name: 'fulfillmentStateProvince', type: 'string', nullable: true },
  { name: 'fulfillmentFacilityId', type: 'string' },
];
const productionPlace: readonly Field[] = [
  { name: 'productionCountry', type: 'string' },
  { name: 'productionStateProvince', type: 'string', nullable: true },
  { name: 'productionFacilityId', type: 'string' },
];

interface Statuses {
  values: readonly string[];
  furtherValues?: readonly string[];
}
const CURRENT: Statuses = { values: ORDER_STATUSES, furtherValues: FURTHER_ORDER_STATUSES };

function orderStatus(ofOrder: Statuses, ofItem: Statuses): Field[] {
  return [
    orderId,
    storeId,
    orderReferenceId,
    { name: 'fulfillmentStatus', type: 'string', ...ofOrder },
    {
      name: 'items',
      type: 'object[]',
      fields: [
        itemReferenceId,
        { name: 'fulfillmentStatus', type: 'string', ...ofItem },
        { name: 'fulfillments', type: 'object[]', fields: [...tracking, ...place] },
      ],
    },
  ];
}

function itemStatus(statuses: Statuses): Field[] {
  return [
    orderId,
    storeId,
    itemReferenceId,
    orderReferenceId,
    { name: 'status', type: 'string', ...statuses },
    ...place,
    // On the page: "short reason". According to the reading notes, the comment may be null, empty or missing.
    { name: 'comment', type: 'string', nullable: true, optional: true },
    created,
  ];
}

const trackingCode: readonly Field[] = [
  orderId,
  storeId,
  itemReferenceId,
  orderReferenceId,
  ...tracking,
  created,
  ...productionPlace,
];

const availability: Field = {
  name: 'availability',
  type: 'object[]',
  fields: [
    { name: 'stockRegionUid', type: 'string' },
    { name: 'status', type: 'string', values: STOCK_STATUSES, furtherValues: FURTHER_STOCK_STATUSES },
  ],
};
const productAvailability: Field = {
  name: 'productAvailability',
  type: 'object[]',
  fields: [{ name: 'productUid', type: 'string' }, availability],
};

const storeProductId: Field = { name: 'storeProductId', type: 'string' };
const storeProductTemplateId: Field = { name: 'storeProductTemplateId', type: 'string' };

/** On the page: "The field list also names these as ...". */
const PLACE_SPELLINGS = {
  productionCountry: 'fulfillmentCountry',
  productionStateProvince: 'fulfillmentStateProvince',
  productionFacilityId: 'fulfillmentFacilityId',
};
const STOCK_SPELLINGS = { productAvailability: 'productsAvailability' };

function current(name: string, fields: readonly Field[], alsoSpelled: EventKind['alsoSpelled'] = {}): EventKind {
  return { style: 'event', name, fields: [id, ...fields], alsoSpelled };
}

function older(name: string, fields: readonly Field[], alsoSpelled: EventKind['alsoSpelled'] = {}): EventKind {
  return { style: 'object', name, fields: [id, ...fields], alsoSpelled };
}

export const EVENTS: readonly EventKind[] = [
  current('order_status_updated', orderStatus(CURRENT, CURRENT)),
  current('order_item_status_updated', itemStatus(CURRENT)),
  current('order_item_tracking_code_updated', trackingCode, PLACE_SPELLINGS),
  current('order_delivery_estimate_updated', [
    orderId,
    storeId,
    orderReferenceId,
    { name: 'minDeliveryDate', type: 'date' },
    { name: 'maxDeliveryDate', type: 'date' },
    created,
  ]),
  current('catalog_product_stock_availability_updated', [productAvailability], STOCK_SPELLINGS),
  current('store_product_created', [storeProductId, ...storeProductEventFields]),
  current('store_product_updated', [storeProductId, ...storeProductEventFields]),
  current('store_product_deleted', [storeProductId]),
  current('store_product_template_created', [storeProductTemplateId, ...templateEventFields]),
  current('store_product_template_updated', [storeProductTemplateId, ...templateEventFields]),
  current('store_product_template_deleted', [storeProductTemplateId]),
  older('orderStatus', orderStatus({ values: OLDER_ORDER_STATUSES }, { values: OLDER_ORDER_ITEM_STATUSES })),
  older('itemStatus', itemStatus({ values: OLDER_ITEM_STATUSES })),
  older('trackingCode', trackingCode, PLACE_SPELLINGS),
  {
    style: 'object',
    name: 'stockRegionAvailability',
    lacksId: true,
    fields: [productAvailability],
    alsoSpelled: STOCK_SPELLINGS,
  },
];

/** The event kind for each name in the older style. */
export const OLDER_KINDS: Readonly<Record<string, string>> = {
  orderStatus: 'order_status_updated',
  itemStatus: 'order_item_status_updated',
  trackingCode: 'order_item_tracking_code_updated',
  stockRegionAvailability: 'catalog_product_stock_availability_updated',
};
