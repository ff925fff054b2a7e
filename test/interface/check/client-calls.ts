import { searchCatalogProducts, type SearchCatalogProductsRequest } from '../../../src/print/current/catalog-v3.ts';
import {
  cancelOrderV1,
  createOrderV1,
  getOrderStatusV1,
  quoteV1,
  type QuoteV1Request,
} from '../../../src/print/legacy/orders-v1.ts';
import {
  createOrderV2,
  getOrderAddressV2,
  getOrderStatusV2,
  quoteV2,
  type QuoteV2Request,
} from '../../../src/print/legacy/orders-v2.ts';
import {
  createOrder,
  searchOrdersV3,
  type CreateOrderRequest,
  type SearchOrdersV3Request,
} from '../../../src/print/current/orders-v3.ts';
import {
  deleteDraft,
  getOrder,
  quote,
  searchOrders,
  type QuoteRequest,
  type SearchOrdersRequest,
} from '../../../src/print/current/orders-v4.ts';
import { getStoreProduct } from '../../../src/print/current/store-products.ts';
import { CATALOG_CALLS } from '../table/catalog.ts';
import type { ClientCall } from './check-client.ts';
import { V1_CALLS } from '../table/legacy-v1.ts';
import { V2_CALLS } from '../table/legacy-v2.ts';
import { CURRENT_ORDER_CALLS } from '../table/orders-current.ts';
import { STORE_PRODUCT_CALLS } from '../table/store-products.ts';
import { at } from '../table/bodies.ts';
import type { Call } from '../table/table.ts';
import { systemClock } from '../../../src/clock.ts';

/** Every API call on the page. */
export const CALLS: readonly Call[] = [
  ...CURRENT_ORDER_CALLS,
  ...STORE_PRODUCT_CALLS,
  ...CATALOG_CALLS,
  ...V1_CALLS,
  ...V2_CALLS,
];

const PROMISE = `d_${'a1B2'.repeat(6)}`;
const ORDER_ESSENTIALS = ['id', 'orderReferenceId'];
const SHIPMENT_ESSENTIALS = ['promiseUid', 'uid', 'price', 'promiseExpirationDateTime'];

function earlierQuoteEssentials(): string[] {
  const shipments = SHIPMENT_ESSENTIALS.map((name) => `production.shipments[].${name}`);
  return ['production', 'production.itemReferenceId', 'production.shipments', ...shipments];
}

async function collect<Found>(search: AsyncIterable<Found>): Promise<{ orders: Found[] }> {
  const orders: Found[] = [];
  for await (const order of search) orders.push(order);
  return { orders };
}

function toV2ProductionPath(path: string): string {
  return path.replace('production.', 'production[0].').replace('.itemReferenceId', '.itemReferenceIds');
}

/**
 * Maps a path in a status response to the path in the app's result. The list of an item's parcels is `trackingCode` in the response and
 * `trackingCodes` in the result.
 */
function toStatusPath(path: string): string {
  return path.replace('orderItem.', 'orderItems[0].').replace('].trackingCode', '].trackingCodes');
}

function promiseOf(body: unknown): string {
  return String(at(body, 'promiseUid'));
}

/** How the app sends each API call on the page. */
export const CLIENT_CALLS: readonly ClientCall[] = [
  {
    ...of('createOrder'),
    run: (send, body) => createOrder(send, body as CreateOrderRequest),
    essentialFields: [...ORDER_ESSENTIALS, 'items[].id', 'items[].itemReferenceId'],
  },
  {
    ...of('quote'),
    run: (send, body) => quote(send, body as QuoteRequest),
    essentialFields: [
      'quotes',
      'quotes[].itemReferenceIds',
      'quotes[].shipmentMethods',
      'quotes[].shipmentMethods[].shipmentMethodUid',
      'quotes[].shipmentMethods[].price',
      'quotes[].shipmentMethods[].currency',
    ],
  },
  {
    ...of('searchOrders'),
    run: (send, body) => collect(searchOrders(send, body as SearchOrdersRequest)),
    essentialFields: ['orders', 'orders[].id'],
  },
  {
    ...of('searchOrdersV3'),
    run: (send, body) => collect(searchOrdersV3(send, body as SearchOrdersV3Request)),
    essentialFields: ['orders', 'orders[].id'],
  },
  { ...of('deleteDraft', { orderId: 'order-1' }), run: (send) => deleteDraft(send, 'order-1') },
  {
    ...of('getOrder', { orderId: 'order-1' }),
    run: (send) => getOrder(send, 'order-1'),
    essentialFields: [...ORDER_ESSENTIALS, 'items[].id', 'items[].itemReferenceId'],
    followedFields: [
      'orderType',
      'fulfillmentStatus',
      'financialStatus',
      'items',
      'items[].quantity',
      'items[].fulfillmentStatus',
      'shipment',
      'shipment.packages',
      'shipment.packages[].orderItemIds',
      'shipment.packages[].trackingCode',
    ],
  },
  {
    ...of('getStoreProduct', { storeId: 'store-1', productId: 'product-1' }),
    run: (send) => getStoreProduct(send, 'store-1', 'product-1'),
    essentialFields: ['id'],
  },
  {
    ...of('searchCatalogProducts', { catalogUid: 'posters' }),
    run: (send, body) => searchCatalogProducts(send, 'posters', body as SearchCatalogProductsRequest),
    essentialFields: ['products', 'products[].productUid'],
  },
  {
    ...of('quoteV1'),
    run: (send, body) => quoteV1(send, 'legacy', body as QuoteV1Request),
    essentialFields: earlierQuoteEssentials(),
    toResultPath: (path) => path.replace('.itemReferenceId', '.itemReferenceIds'),
  },
  {
    ...of('createOrderV1'),
    run: (send, body) => createOrderV1(send, 'legacy', promiseOf(body)),
    essentialFields: ['message'],
  },
  {
    ...of('getOrderStatusV1', { orderReferenceId: '1001' }),
    run: (send) => getOrderStatusV1(systemClock, send, 'legacyTest', '1001'),
    essentialFields: ['orderReferenceId', 'orderItem.itemReferenceId'],
    followedFields: [
      'orderItem',
      'orderItem.status',
      'orderItem.trackingCode',
      'orderItem.trackingCode[].trackingCode',
    ],
    toResultPath: (path) => (path === 'orderItem' ? 'orderItems' : toStatusPath(path)),
  },
  { ...of('cancelOrderV1'), run: (send, body) => cancelOrderV1(send, 'legacy', String(at(body, 'orderReferenceId'))) },
  {
    ...of('quoteV2'),
    run: (send, body) => quoteV2(send, 'legacyTest', body as QuoteV2Request),
    essentialFields: earlierQuoteEssentials(),
    toResultPath: toV2ProductionPath,
  },
  {
    ...of('createOrderV2'),
    run: (send, body) => createOrderV2(send, 'legacy', promiseOf(body)),
    essentialFields: ['message'],
  },
  {
    ...of('getOrderStatusV2', { orderReferenceId: 'reference-1' }),
    run: (send) => getOrderStatusV2(systemClock, send, 'legacy', 'reference-1'),
    essentialFields: ['orderReferenceId', 'orderItems[].itemReferenceId'],
    followedFields: [
      'orderItems',
      'orderItems[].status',
      'orderItems[].trackingCode',
      'orderItems[].trackingCode[].trackingCode',
    ],
    toResultPath: toStatusPath,
  },
  {
    ...of('getOrderAddressV2', { orderReferenceId: 'reference-1' }),
    run: (send) => getOrderAddressV2(send, 'legacy', 'reference-1'),
  },
];

function of(name: string, parameters: Readonly<Record<string, string>> = {}) {
  const call = CALLS.find((one) => one.name === name);
  if (call === undefined) throw new Error(`the table has no call ${name}`);
  return { call, parameters, samples: { country: 'DE', countryIsoCode: 'DE', promiseUid: PROMISE } };
}
