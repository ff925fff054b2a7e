import type { AdminApi } from './admin-api.ts';
import {
  AddOrderTagsDocument,
  CreateFulfillmentEventDocument,
  FulfillmentEventsDocument,
  RemoveOrderTagsDocument,
  SetOrderMetafieldsDocument,
} from './generated/operations.ts';
import type { FulfillmentEventInput, FulfillmentEventStatus } from './generated/operations.ts';

/** The most that one call takes (Shopify page, metafieldsSet). */
const METAFIELDS_A_CALL = 25;

/** A metafield of an order, in the app's own namespace; its definition is in `shopify.app.toml`. */
export interface OrderMetafield {
  key: string;
  type: string;
  value: string;
}

/** Adds tags to an order beside those it has; again it changes nothing. Needs `write_orders`. Throws ShopifyError. */
export async function addOrderTags(admin: AdminApi, id: string, tags: string[]): Promise<void> {
  if (tags.length > 0) await admin.request(AddOrderTagsDocument, { id, tags });
}

/** Takes tags off an order; one that it does not have is no error. Needs `write_orders`. Throws ShopifyError. */
export async function removeOrderTags(admin: AdminApi, id: string, tags: string[]): Promise<void> {
  if (tags.length > 0) await admin.request(RemoveOrderTagsDocument, { id, tags });
}

/** Sets metafields of an order, in one call for 25; again it changes nothing. Needs `write_orders`. Throws ShopifyError. */
export async function setOrderMetafields(
  admin: AdminApi,
  ownerId: string,
  fields: readonly OrderMetafield[],
): Promise<void> {
  for (let start = 0; start < fields.length; start += METAFIELDS_A_CALL) {
    const metafields = fields.slice(start, start + METAFIELDS_A_CALL);
    const inputs = metafields.map((field) => ({ ownerId, namespace: '$app', ...field }));
    await admin.request(SetOrderMetafieldsDocument, { metafields: inputs });
  }
}

/** The events that a fulfilment has, whoever told them; null when it is not there or cancelled. Throws ShopifyError. */
export async function readFulfillmentEvents(admin: AdminApi, id: string): Promise<Set<FulfillmentEventStatus> | null> {
  const { fulfillment } = await admin.request(FulfillmentEventsDocument, { id });
  if (!fulfillment || fulfillment.status === 'CANCELLED') return null;
  return new Set(fulfillment.events.nodes.map(({ status }) => status));
}

/** Tells an event of a fulfilment. It has no idempotency key: read the events before every try. Throws ShopifyError. */
export async function createFulfillmentEvent(admin: AdminApi, fulfillmentEvent: FulfillmentEventInput): Promise<void> {
  await admin.request(CreateFulfillmentEventDocument, { fulfillmentEvent });
}
