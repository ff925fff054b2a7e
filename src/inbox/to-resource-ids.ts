import { isJsonObject } from './parse-json-object.ts';

type Body = Record<string, unknown>;
type ToIds = (body: Body) => Record<string, string | null>;

/**
 * The fields in fulfillment_orders/* webhooks that contain a fulfillment order. The first field that is present contains the fulfillment
 * order that the webhook is about.
 */
const FULFILLMENT_ORDER_FIELDS = {
  fulfillmentOrder: 'fulfillment_order',
  submittedFulfillmentOrder: 'submitted_fulfillment_order',
  movedFulfillmentOrder: 'moved_fulfillment_order',
  originalFulfillmentOrder: 'original_fulfillment_order',
  remainingFulfillmentOrder: 'remaining_fulfillment_order',
  replacementFulfillmentOrder: 'replacement_fulfillment_order',
};

const orderOf: ToIds = (body) => ({ order: toGid('Order', body['order_id']) });

/** Shopify does not document these bodies. The order is expected where the bodies of refunds or returns name it. */
const requestedEditOf: ToIds = (body) => ({
  order:
    toGid('Order', readField(body, 'order', 'admin_graphql_api_id')) ??
    toGid('Order', readField(body, 'order', 'id')) ??
    toGid('Order', body['admin_graphql_api_order_id']) ??
    toGid('Order', body['order_id']),
});

/** Returns the IDs in a privacy request: the customer's, the orders' (comma-separated) and the request's own number. */
const privacyOf =
  (orders: 'orders_requested' | 'orders_to_redact'): ToIds =>
  (body) => ({
    customer: toGid('Customer', readField(body, 'customer', 'id')),
    orders: toGids('Order', body[orders]),
    request: toNumber(readField(body, 'data_request', 'id')),
  });

/** Functions by topic, or by the part of the topic before the slash. */
const byTopic = new Map<string, ToIds>([
  ['orders/edited', (body) => ({ order: toGid('Order', readField(body, 'order_edit', 'order_id')) })],
  ['orders/risk_assessment_changed', orderOf],
  ['orders', (body) => ({ order: toGid('Order', body['admin_graphql_api_id']) ?? toGid('Order', body['id']) })],
  ['refunds', orderOf],
  ['requested_order_edit', requestedEditOf],
  ['fulfillments', orderOf],
  ['fulfillment_orders', toFulfillmentOrders],
  ['products', (body) => ({ product: toGid('Product', body['admin_graphql_api_id']) ?? toGid('Product', body['id']) })],
  ['locations/delete', (body) => ({ location: toGid('Location', body['id']) })],
  ['customers/data_request', privacyOf('orders_requested')],
  ['customers/redact', privacyOf('orders_to_redact')],
]);

/** Topics that may name no order, because a person who has never ordered can also send a privacy request. */
const TOPICS_WITH_OPTIONAL_IDS = new Set(['customers/data_request', 'customers/redact']);

/**
 * Returns a Shopify delivery's IDs as GIDs, for topics that name an object to read again. The rest of the body is not stored. Returns
 * null if the topic requires a resource but the body does not name one. Numbers above 2^53 must be strings (`parseJsonObject`).
 */
export function toResourceIds(topic: string, body: Body): Record<string, string> | null {
  const toIds = byTopic.get(topic) ?? byTopic.get(topic.split('/')[0] ?? '');
  if (!toIds) return {};
  const found = Object.entries(toIds(body)).filter((entry): entry is [string, string] => entry[1] !== null);
  return found.length === 0 && !TOPICS_WITH_OPTIONAL_IDS.has(topic) ? null : Object.fromEntries(found);
}

function toFulfillmentOrders(body: Body): Record<string, string | null> {
  const ids = Object.entries(FULFILLMENT_ORDER_FIELDS).map(([name, key]): [string, string | null] => [
    name,
    toGid('FulfillmentOrder', readField(body, key, 'id')),
  ]);
  const merged = toGid('FulfillmentOrder', readField(body, 'fulfillment_order_merges', 'fulfillment_order', 'id'));
  const first = ids.find(([, id]) => id !== null)?.[1] ?? merged;
  return { ...Object.fromEntries(ids), fulfillmentOrder: first };
}

/** Returns the value at a path of nested objects, or undefined if the path ends early. In a list, the path follows the first element. */
function readField(body: Body, ...path: string[]): unknown {
  let value: unknown = body;
  for (const key of path) {
    if (Array.isArray(value)) value = value[0];
    if (!isJsonObject(value)) return undefined;
    value = value[key];
  }
  return value;
}

/** Converts a GID or a number to a GID of this type. Returns null for anything else. */
function toGid(type: string, value: unknown): string | null {
  const prefix = `gid://shopify/${type}/`;
  const isGid = typeof value === 'string' && value.startsWith(prefix);
  const number = toNumber(isGid ? value.slice(prefix.length) : value);
  return number === null ? null : `${prefix}${number}`;
}

/** Converts a list of IDs to comma-separated GIDs, without invalid IDs. Returns null if no valid ID remains. */
function toGids(type: string, list: unknown): string | null {
  const ids = (Array.isArray(list) ? list : []).map((one) => toGid(type, one)).filter((id) => id !== null);
  return ids.length === 0 ? null : [...new Set(ids)].join(',');
}

/** Returns the digits of a Shopify number, which may be a string. */
function toNumber(value: unknown): string | null {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^[1-9]\d{0,19}$/.test(text) ? text : null;
}
