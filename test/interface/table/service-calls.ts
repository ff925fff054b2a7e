import type { Samples } from './bodies.ts';
import { CONNECTION_STATUSES, STORE_PRODUCT_STATUSES } from './states.ts';
import type { StandIn } from '../check/stand-in.ts';
import { callOf, POSTER, requestOf, SAMPLES, text, type Subjects } from './subjects.ts';
import type { Call } from './table.ts';

/** Describes how the tests send a call of the table to the stand-in. */
export interface ServiceCall {
  call: Call;
  samples: Samples;
  /** Returns the path with its parameters. If the call consumes the object in its path, each path names a new object. */
  path(): Promise<string>;
  /** Returns further responses to check, in addition to the response to a full body. */
  furtherResponses(): Promise<unknown[]>;
  mayBeNull: Readonly<Record<string, string>>;
  mayBe: Readonly<Record<string, string>>;
}

const NOT_YET_PRINTED = 'created when the file is processed';
const NOT_IN_SHOP = 'the product is not in the shop';
/**
 * The documented statuses of the earlier interface start with `passed`, but the stand-in shows a new order with the current interface's
 * status.
 */
const NOT_YET_PASSED = 'created';

const ORDER_MAY_BE_NULL = { 'items[].processedFileUrl': NOT_YET_PRINTED, orderedAt: 'a draft is not ordered' };
const PRODUCT_MAY_BE_NULL = {
  publishedAt: NOT_IN_SHOP,
  externalId: NOT_IN_SHOP,
  externalPreviewUrl: NOT_IN_SHOP,
  externalThumbnailUrl: NOT_IN_SHOP,
  'variants[].externalId': NOT_IN_SHOP,
};

/** Defines how the tests send each documented call to the stand-in. */
export async function createServiceCalls(standIn: StandIn, subjects: Subjects): Promise<ServiceCall[]> {
  const [promiseV1, promiseV2, { storeId, productId, catalogUid }] = await Promise.all([
    subjects.promise('v1', 7001),
    subjects.promise('v2', 'promised-1'),
    findSeeded(standIn),
    createEarlierOrders(subjects),
  ]);
  const catalogPath = `/v3/catalogs/${catalogUid}/products:search`;
  return [
    of('createOrder', { mayBeNull: ORDER_MAY_BE_NULL, furtherResponses: subjects.ordersOfEveryStatus }),
    of('quote', { furtherResponses: () => furtherQuotes(standIn) }),
    of('searchOrders', { furtherResponses: () => searches(standIn, subjects, '/v4/orders:search') }),
    of('searchOrdersV3', { furtherResponses: () => searches(standIn, subjects, '/v3/orders:search') }),
    of('deleteDraft', {
      path: async () => `/v4/orders/${await subjects.createTestOrder({ orderType: 'draft' })}`,
    }),
    of('getOrder', {
      path: async () => `/v4/orders/${await subjects.shippedOrder()}`,
      furtherResponses: subjects.ordersOfEveryStatus,
      mayBeNull: ORDER_MAY_BE_NULL,
    }),
    of('getStoreProduct', {
      path: () => Promise.resolve(`/v1/stores/${storeId}/products/${productId}`),
      furtherResponses: () => productsOfEveryStatus(standIn, storeId),
      mayBeNull: PRODUCT_MAY_BE_NULL,
    }),
    of('searchCatalogProducts', {
      path: () => Promise.resolve(catalogPath),
      furtherResponses: async () => [await standIn.get('POST', catalogPath, {})],
    }),
    of('quoteV1', { furtherResponses: () => quoteAtTestHost(standIn, 'v1') }),
    of('createOrderV1', { samples: { promiseUid: promiseV1 } }),
    of('getOrderStatusV1', {
      path: () => subjects.earlierOrder('v1', 7002),
      furtherResponses: async () => [
        ...(await subjects.earlierStatuses('v1', [7003, 7004])),
        await standIn.get('GET', await subjects.earlierOrder('v1', 7005, '/test')),
      ],
      mayBe: { 'orderItem.status': NOT_YET_PASSED },
    }),
    of('cancelOrderV1', { samples: { orderReferenceId: 7006 } }),
    of('quoteV2', { furtherResponses: () => quoteAtTestHost(standIn, 'v2') }),
    of('createOrderV2', { samples: { promiseUid: promiseV2 } }),
    of('getOrderStatusV2', {
      path: () => subjects.earlierOrder('v2', 'earlier-1'),
      furtherResponses: async () => [
        ...(await subjects.earlierStatuses('v2', ['earlier-2', 'earlier-3'])),
        await standIn.get('GET', await subjects.earlierOrder('v2', 'earlier-4', '/test')),
      ],
      mayBe: { 'orderItems[].status': NOT_YET_PASSED },
    }),
    of('getOrderAddressV2', {
      path: () => Promise.resolve('/v2/order/earlier-1/address'),
    }),
  ];
}

function of(name: string, given: Partial<ServiceCall>): ServiceCall {
  const call = callOf(name);
  return {
    call,
    path: () => Promise.resolve(call.path),
    furtherResponses: () => Promise.resolve([]),
    mayBeNull: {},
    mayBe: {},
    ...given,
    samples: { ...SAMPLES, ...given.samples },
  };
}

/** Finds the IDs of the stand-in's seed data. */
async function findSeeded(standIn: StandIn) {
  const storeId = text(await standIn.get('GET', '/_control/stores'), '[0].id');
  const productId = text(await standIn.get('GET', `/_control/stores/${storeId}/products`), '[0].id');
  const catalogUid = text(await standIn.get('GET', '/v3/catalogs'), '[0].catalogUid');
  return { storeId, productId, catalogUid };
}

/** Creates the earlier interface's orders concurrently, because each has to wait for its status. */
async function createEarlierOrders({ earlierOrder }: Subjects): Promise<void> {
  await Promise.all([
    ...[7002, 7003, 7004, 7006].map((reference) => earlierOrder('v1', reference)),
    ...['earlier-1', 'earlier-2', 'earlier-3'].map((reference) => earlierOrder('v2', reference)),
    earlierOrder('v1', 7005, '/test'),
    earlierOrder('v2', 'earlier-4', '/test'),
  ]);
}

/** Requests a quote for another continent, whose methods have incoterms, and a quote for an order that is heavy enough for a pallet. */
function furtherQuotes(standIn: StandIn): Promise<unknown[]> {
  const heavy = { 'products[].productUid': POSTER, 'products[].quantity': 5000 };
  return Promise.all(
    [{ country: 'KE' }, heavy].map((samples) => standIn.get('POST', '/v4/orders:quote', requestOf('quote', samples))),
  );
}

/** Runs searches that find all orders and one store's order. */
async function searches(standIn: StandIn, { placeStoreOrder }: Subjects, path: string): Promise<unknown[]> {
  const id = await placeStoreOrder();
  return Promise.all([{}, { ids: [id] }].map((filters) => standIn.get('POST', path, filters)));
}

async function quoteAtTestHost(standIn: StandIn, version: 'v1' | 'v2'): Promise<unknown[]> {
  return [await standIn.get('POST', `/test/${version}/quote`, requestOf(`quote${version.toUpperCase()}`))];
}

/** Returns a product in each status, with its variant in each connection status. */
async function productsOfEveryStatus(standIn: StandIn, storeId: string): Promise<unknown[]> {
  const added = { title: 'Poster', variants: [{ title: 'Small' }] };
  const product = await standIn.get('POST', `/_control/stores/${storeId}/products`, added);
  const id = text(product, 'id');
  const variantId = text(product, 'variants[0].id');
  const answers: unknown[] = [];
  for (const [index, status] of STORE_PRODUCT_STATUSES.entries()) {
    await standIn.get('POST', `/_control/store-products/${id}`, {
      status,
      publishingErrorCode: status === 'publishing_error' ? 'shop_unreachable' : null,
      variants: [{ id: variantId, connectionStatus: CONNECTION_STATUSES[index % CONNECTION_STATUSES.length] }],
    });
    answers.push(await standIn.get('GET', `/v1/stores/${storeId}/products/${id}`));
  }
  return answers;
}
