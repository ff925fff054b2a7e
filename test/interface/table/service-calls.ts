import type { Samples } from './bodies.ts';
import type { StandIn } from '../check/stand-in.ts';
import { callOf, SAMPLES, text, type Subjects } from './subjects.ts';
import type { Call } from './table.ts';

/** Describes how the tests send a call of the table to the stand-in. */
export interface ServiceCall {
  call: Call;
  samples: Samples;
  /** Returns the path with its parameters. If the call consumes the object in its path, each path names a new object. */
  path(): Promise<string>;
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
    of('createOrder', { mayBeNull: ORDER_MAY_BE_NULL }),
    of('quote', {}),
    of('searchOrders', {}),
    of('searchOrdersV3', {}),
    of('deleteDraft', { path: async () => `/v4/orders/${await subjects.createTestOrder({ orderType: 'draft' })}` }),
    of('getOrder', { path: async () => `/v4/orders/${await subjects.shippedOrder()}`, mayBeNull: ORDER_MAY_BE_NULL }),
    of('getStoreProduct', {
      path: () => Promise.resolve(`/v1/stores/${storeId}/products/${productId}`),
      mayBeNull: PRODUCT_MAY_BE_NULL,
    }),
    of('searchCatalogProducts', { path: () => Promise.resolve(catalogPath) }),
    of('quoteV1', {}),
    of('createOrderV1', { samples: { promiseUid: promiseV1 } }),
    of('getOrderStatusV1', {
      path: () => subjects.earlierOrder('v1', 7002),
      mayBe: { 'orderItem.status': NOT_YET_PASSED },
    }),
    of('cancelOrderV1', { samples: { orderReferenceId: 7006 } }),
    of('quoteV2', {}),
    of('createOrderV2', { samples: { promiseUid: promiseV2 } }),
    of('getOrderStatusV2', {
      path: () => subjects.earlierOrder('v2', 'earlier-1'),
      mayBe: { 'orderItems[].status': NOT_YET_PASSED },
    }),
    of('getOrderAddressV2', { path: () => Promise.resolve('/v2/order/earlier-1/address') }),
  ];
}

function of(name: string, given: Partial<ServiceCall>): ServiceCall {
  const call = callOf(name);
  return {
    call,
    path: () => Promise.resolve(call.path),
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
  await Promise.all([earlierOrder('v1', 7002), earlierOrder('v1', 7006), earlierOrder('v2', 'earlier-1')]);
}
