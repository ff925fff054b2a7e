import type { AdminApi } from '../admin/admin-api.ts';
import { runInHalves, sendBatch } from '../admin/batch.ts';
import {
  AddOrderTagsDocument,
  CreateFulfillmentEventDocument,
  FulfillmentEventsDocument,
  RemoveOrderTagsDocument,
  SetOrderMetafieldsDocument,
  TakeBackOrderMetafieldsDocument,
  TakeBackTagsDocument,
} from '../generated/operations.ts';
import type {
  FulfillmentEventInput,
  FulfillmentEventStatus,
  MetafieldIdentifierInput,
} from '../generated/operations.ts';

/** The maximum for one call (docs/rules/shopify.md#metafieldsset). */
const METAFIELDS_PER_CALL = 25;
/** Each operation costs ten points, so 50 operations use half of one call's maximum cost. */
const OPERATIONS_PER_CALL = 50;

/** An order metafield in the app's own namespace. Its definition is in `shopify.app.toml`. */
export interface OrderMetafield {
  key: string;
  type: string;
  value: string;
}

/** Adds tags to an order and leaves its other tags unchanged. Safe to repeat. Needs `write_orders`. Throws ShopifyError. */
export async function addOrderTags(admin: AdminApi, id: string, tags: string[]): Promise<void> {
  if (tags.length > 0) await admin.request(AddOrderTagsDocument, { id, tags });
}

/** Removes tags from an order. A tag that the order does not have is not an error. Needs `write_orders`. Throws ShopifyError. */
export async function removeOrderTags(admin: AdminApi, id: string, tags: string[]): Promise<void> {
  if (tags.length > 0) await admin.request(RemoveOrderTagsDocument, { id, tags });
}

/** Sets order metafields, 25 per call. Safe to repeat. Needs `write_orders`. Throws ShopifyError. */
export async function setOrderMetafields(
  admin: AdminApi,
  ownerId: string,
  fields: readonly OrderMetafield[],
): Promise<void> {
  for (let start = 0; start < fields.length; start += METAFIELDS_PER_CALL) {
    const metafields = fields.slice(start, start + METAFIELDS_PER_CALL);
    const inputs = metafields.map((field) => ({ ownerId, namespace: '$app', ...field }));
    await admin.request(SetOrderMetafieldsDocument, { metafields: inputs });
  }
}

/**
 * Removes tags from many orders, 50 per call. A tag that an order does not have is not an error. Returns the IDs of orders that the store
 * does not have or does not show to the app. Needs `write_orders`. Throws ShopifyError if a call is rejected as a whole.
 */
export async function removeTagsFromOrders(
  admin: AdminApi,
  orders: readonly { id: string; tags: string[] }[],
): Promise<ReadonlySet<string>> {
  const refused = new Set<string>();
  for (let start = 0; start < orders.length; start += OPERATIONS_PER_CALL) {
    const failed = await runInHalves(orders.slice(start, start + OPERATIONS_PER_CALL), async (some) => {
      const answers = await sendBatch(admin, TakeBackTagsDocument, some);
      some.forEach(({ id }, at) => {
        if (answers[at]?.tagsRemove?.complaints.length !== 0) refused.add(id);
      });
    });
    for (const { id } of failed.keys()) refused.add(id);
  }
  return refused;
}

/**
 * Deletes order metafields in the app's own namespace, 1,250 per call. A missing metafield is not an error. Returns the IDs of orders for
 * which the store refuses the deletion. Needs `write_orders`. Throws ShopifyError if a call is rejected as a whole.
 */
export async function deleteOrderMetafields(
  admin: AdminApi,
  fields: readonly { ownerId: string; key: string }[],
): Promise<ReadonlySet<string>> {
  const inputs = fields.map((field) => ({ ...field, namespace: '$app' }));
  const doubtful = await deleteMetafieldLists(admin, splitIntoChunks(inputs, METAFIELDS_PER_CALL));
  // The store applies a list completely or not at all, so refused orders are tried separately.
  const byOrder = Map.groupBy(doubtful, ({ ownerId }) => ownerId);
  return new Set((await deleteMetafieldLists(admin, [...byOrder.values()])).map(({ ownerId }) => ownerId));
}

type MetafieldInput = MetafieldIdentifierInput & { namespace: string };

/** Deletes the lists of metafields. Returns the metafields in those lists that the store refuses. */
async function deleteMetafieldLists(admin: AdminApi, lists: readonly MetafieldInput[][]): Promise<MetafieldInput[]> {
  const refused: MetafieldInput[][] = [];
  const acts = lists.map((metafields) => ({ metafields }));
  for (const some of splitIntoChunks(acts, OPERATIONS_PER_CALL)) {
    const failed = await runInHalves(some, async (those) => {
      const answers = await sendBatch(admin, TakeBackOrderMetafieldsDocument, those);
      those.forEach(({ metafields }, at) => {
        if (answers[at]?.metafieldsDelete?.complaints.length !== 0) refused.push(metafields);
      });
    });
    refused.push(...[...failed.keys()].map(({ metafields }) => metafields));
  }
  return refused.flat();
}

function splitIntoChunks<Item>(items: readonly Item[], most: number): Item[][] {
  const count = Math.ceil(items.length / most);
  return Array.from({ length: count }, (_, at) => items.slice(at * most, (at + 1) * most));
}

/** Reads a fulfillment's events, from any source. Returns null if the fulfillment does not exist or is canceled. Throws ShopifyError. */
export async function readFulfillmentEvents(admin: AdminApi, id: string): Promise<Set<FulfillmentEventStatus> | null> {
  const { fulfillment } = await admin.request(FulfillmentEventsDocument, { id });
  if (!fulfillment || fulfillment.status === 'CANCELLED') return null;
  return new Set(fulfillment.events.nodes.map(({ status }) => status));
}

/** Creates a fulfillment event. The call has no idempotency key, so read the events before every attempt. Throws ShopifyError. */
export async function createFulfillmentEvent(admin: AdminApi, fulfillmentEvent: FulfillmentEventInput): Promise<void> {
  await admin.request(CreateFulfillmentEventDocument, { fulfillmentEvent });
}
