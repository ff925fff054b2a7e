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
import { list, rows, type EventKind, type Field } from './table.ts';

// The payloads in docs/rules/print-interface.md#events, in both styles. On the page, storeId is "null when placed via UI or
// API".

const id: Field = { name: 'id', type: 'string' };
const tracking: readonly Field[] = rows('trackingCode, trackingUrl, shipmentMethodName, shipmentMethodUid');
/** A facility's state is null if the country has no states. */
const place: readonly Field[] = rows('fulfillmentCountry, fulfillmentStateProvince~, fulfillmentFacilityId');
const productionPlace: readonly Field[] = rows('productionCountry, productionStateProvince~, productionFacilityId');

interface Statuses {
  values: readonly string[];
  furtherValues?: readonly string[];
}
const CURRENT: Statuses = { values: ORDER_STATUSES, furtherValues: FURTHER_ORDER_STATUSES };

function orderStatus(ofOrder: Statuses, ofItem: Statuses): Field[] {
  return [
    ...rows('orderId, storeId~, orderReferenceId'),
    { name: 'fulfillmentStatus', type: 'string', ...ofOrder },
    list('items', [
      ...rows('itemReferenceId'),
      { name: 'fulfillmentStatus', type: 'string', ...ofItem },
      list('fulfillments', [...tracking, ...place]),
    ]),
  ];
}

function itemStatus(statuses: Statuses): Field[] {
  return [
    ...rows('orderId, storeId~, itemReferenceId, orderReferenceId'),
    { name: 'status', type: 'string', ...statuses },
    ...place,
    // On the page: "short reason". According to the reading notes, the comment may be null, empty or missing.
    ...rows('comment~?, created timestamp'),
  ];
}

const trackingCode: readonly Field[] = [
  ...rows('orderId, storeId~, itemReferenceId, orderReferenceId'),
  ...tracking,
  ...rows('created timestamp'),
  ...productionPlace,
];

const availability: Field = list('availability', [
  ...rows('stockRegionUid'),
  { name: 'status', type: 'string', values: STOCK_STATUSES, furtherValues: FURTHER_STOCK_STATUSES },
]);
const productAvailability: Field = list('productAvailability', [...rows('productUid'), availability]);

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
    ...rows('orderId, storeId~, orderReferenceId'),
    ...rows('minDeliveryDate date, maxDeliveryDate date, created timestamp'),
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
