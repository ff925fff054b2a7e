import { z } from 'zod';
import { productStockSchema } from './current/catalog-objects.ts';
import { filled } from './lengths.ts';
import { identifier, list, text } from './current/objects.ts';
import { isJsonObject } from './http/parse-json.ts';
import { storeProductFields, storeProductTemplateFields } from './current/store-product-objects.ts';
import { truncateText } from '../truncate-text.ts';

// The service's events (docs/rules/print-interface.md#events) in a single format, with one name for each kind and each field. Absent fields
// are null.

/** The kind for each `object` name of the older style. */
const OLDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['orderStatus', 'order_status_updated'],
  ['itemStatus', 'order_item_status_updated'],
  ['trackingCode', 'order_item_tracking_code_updated'],
  ['stockRegionAvailability', 'catalog_product_stock_availability_updated'],
]);
const NAME_LENGTH = 100;

/** The service's short explanation of a status. Without an explanation, the service sends an empty string instead of omitting the field. */
const comment = text.transform((value) => value || null);
const place = { fulfillmentCountry: text, fulfillmentStateProvince: text, fulfillmentFacilityId: text };
const method = { shipmentMethodName: text, shipmentMethodUid: text };
const order = { id: text, orderId: identifier, orderReferenceId: identifier, storeId: text };
const storeProduct = { id: text, storeProductId: identifier, ...storeProductFields };
const template = { id: text, storeProductTemplateId: identifier, ...storeProductTemplateFields };

const fulfillment = z.object({ trackingCode: text, trackingUrl: text, ...method, ...place });
const orderItem = z.object({ itemReferenceId: identifier, fulfillmentStatus: text, fulfillments: list(fulfillment) });

function eventSchema<Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.object({ kind: z.literal(kind), ...shape });
}

const knownEventSchema = z.discriminatedUnion('kind', [
  eventSchema('order_status_updated', {
    ...order,
    fulfillmentStatus: filled,
    comment,
    items: z
      .array(orderItem)
      .nullish()
      .transform((items) => items ?? []),
  }),
  eventSchema('order_item_status_updated', {
    ...order,
    itemReferenceId: identifier,
    status: filled,
    ...place,
    comment,
    created: text,
  }),
  eventSchema('order_item_tracking_code_updated', {
    ...order,
    itemReferenceId: identifier,
    trackingCode: identifier,
    trackingUrl: text,
    ...method,
    ...place,
    created: text,
  }),
  eventSchema('order_delivery_estimate_updated', {
    ...order,
    minDeliveryDate: text,
    maxDeliveryDate: text,
    created: text,
  }),
  // Each product's stock is parsed as leniently as in the response to the stock call. A region without a status must not make the other
  // regions unreadable.
  eventSchema('catalog_product_stock_availability_updated', {
    id: text,
    productAvailability: z.array(productStockSchema),
  }),
  eventSchema('store_product_created', storeProduct),
  eventSchema('store_product_updated', storeProduct),
  eventSchema('store_product_deleted', { id: text, storeProductId: identifier, storeId: text }),
  eventSchema('store_product_template_created', template),
  eventSchema('store_product_template_updated', template),
  eventSchema('store_product_template_deleted', { id: text, storeProductTemplateId: identifier }),
]);

const rawIdsSchema = z.object({ id: text, orderId: text, orderReferenceId: text, storeId: text });

/** An event of an unknown kind or format. Platen stores the event with its IDs and the reason why it is unknown. */
type UnknownEvent = z.output<typeof rawIdsSchema> & { kind: 'unknown'; name: string | null; reason: string };

/** An event from the service. Timestamps and YYYY-MM-DD delivery dates are unchanged. */
export type PrintEvent = z.output<typeof knownEventSchema> | UnknownEvent;

/**
 * Parses an event's JSON body, in either payload style (`eventSchema` or `object`). If a field has two spellings, either is accepted
 * (docs/rules/print-interface.md#doubled-spellings). Never throws: an unreadable event has the kind `unknown`.
 */
export function parseEvent(body: unknown): PrintEvent {
  if (!isJsonObject(body)) return toUnknownEvent({}, null, 'the body is not a JSON object');
  const name = [body['event'], body['object']].find((value) => typeof value === 'string' && value !== '');
  if (typeof name !== 'string') return toUnknownEvent(body, null, 'the event has no name');
  const kind = OLDER_NAMES.get(name) ?? name;
  const { success, data, error } = knownEventSchema.safeParse({ ...unifySpellings(body), kind });
  if (success) return data;
  const [issue] = error.issues;
  const path = issue === undefined ? '' : z.core.toDotPath(issue.path);
  return toUnknownEvent(
    body,
    name,
    path === 'kind' ? 'the event has an unknown name' : `${path}: ${issue?.message ?? ''}`,
  );
}

/**
 * If a field has two spellings (docs/rules/print-interface.md#doubled-spellings), the spelling from the interface's field list takes
 * precedence. If both are lists, the list with elements takes precedence.
 */
function unifySpellings(body: Record<string, unknown>): Record<string, unknown> {
  return {
    ...body,
    fulfillmentCountry: body['fulfillmentCountry'] ?? body['productionCountry'],
    fulfillmentStateProvince: body['fulfillmentStateProvince'] ?? body['productionStateProvince'],
    fulfillmentFacilityId: body['fulfillmentFacilityId'] ?? body['productionFacilityId'],
    productAvailability: isEmpty(body['productAvailability'])
      ? (body['productsAvailability'] ?? body['productAvailability'])
      : body['productAvailability'],
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function toUnknownEvent(body: Record<string, unknown>, name: string | null, reason: string): UnknownEvent {
  return {
    kind: 'unknown',
    name: truncateText(name, NAME_LENGTH),
    reason,
    ...rawIdsSchema.parse(body),
  };
}
