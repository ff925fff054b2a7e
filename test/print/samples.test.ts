import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  getCatalog,
  getProductPrices,
  getStockAvailability,
  listCatalogs,
  searchCatalogProducts,
  stockAvailabilityRequestSchema,
} from '../../src/print/current/catalog-v3.ts';
import { parseEvent } from '../../src/print/events.ts';
import { orderSchema } from '../../src/print/current/objects.ts';
import { orderStatusV2ResponseSchema, quoteV2RequestSchema } from '../../src/print/legacy/orders-v2.ts';
import { createOrder, createOrderRequestSchema } from '../../src/print/current/orders-v3.ts';
import {
  patchOrder,
  patchOrderRequestSchema,
  searchOrdersRequestSchema,
  searchOrdersResponseSchema,
} from '../../src/print/current/orders-v4.ts';
import { parseJson } from '../../src/print/http/parse-json.ts';
import type { Send } from '../../src/print/http/send.ts';
import { createStoreProductFromTemplate, getTemplate } from '../../src/print/current/store-products.ts';
import { createRequest } from './servers.ts';

const folder = new URL('../fixtures/print/', import.meta.url);
const files = readdirSync(folder).filter((file) => file !== 'INDEX.json');

/** Removes nulls, because missing fields of an event are read as null. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => part ?? undefined) as unknown;
}

function textOf(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

function bodyOf(file: string): unknown {
  return JSON.parse(textOf(file));
}

/** Returns a send function that responds to every request with this sample. */
function respondWith(file: string): Send {
  return async (call) => {
    const answer = call.read(textOf(file));
    if (!('value' in answer)) throw new Error(`${file} is not a response to ${call.operation}`);
    return answer.value;
  };
}

/** Returns the paths of a sample that are missing from the parsed value. A number may be parsed as text. */
function findLostPaths(sample: unknown, read: unknown, path = ''): string[] {
  if (typeof sample !== 'object' || sample === null) {
    return sample === read || (typeof sample === 'number' && String(sample) === read) ? [] : [path];
  }
  if (typeof read !== 'object' || read === null || Array.isArray(sample) !== Array.isArray(read)) return [path];
  return Object.entries(sample).flatMap(([key, value]) =>
    findLostPaths(value, (read as Record<string, unknown>)[key], `${path}.${key}`),
  );
}

/** For each sample response, the call that reads it. */
const answers: Record<string, (file: string) => unknown> = {
  'catalog_get_response.json': (file) => getCatalog(respondWith(file), 'posters'),
  'catalog_list_response.json': (file) => listCatalogs(respondWith(file)),
  'product_prices_response.json': (file) => getProductPrices(respondWith(file), 'poster'),
  'products_search_response.json': (file) => searchCatalogProducts(respondWith(file), 'cards', {}),
  'stock_region_availability_response.json': async (file) => ({
    productsAvailability: await getStockAvailability(respondWith(file), ['poster']),
  }),
  'store_product_create_from_template_response.json': (file) =>
    createStoreProductFromTemplate(respondWith(file), 'store', { templateId: 'template', title: 'T-shirt' }),
  'template_get_response.json': (file) => getTemplate(respondWith(file), 'c12a363e-0d4e-4d96-be4b-bf4138eb8743'),
  // Platen makes no requests with these undocumented responses, so the samples only need to be valid JSON.
  'product_cover_dimensions_response.json': (file) => parseJson(textOf(file)),
  'shipment_methods_response.json': (file) => parseJson(textOf(file)),
  // The placeholder in this sample is not a valid reference, so the status cannot be requested.
  'v2_order_status_response.json': (file) => orderStatusV2ResponseSchema.parse(bodyOf(file)),
  'v4_order_create_split_response.json': (file) => {
    const { orderReferenceId } = orderSchema.parse(bodyOf(file));
    return createOrder(respondWith(file), { ...createRequest, orderReferenceId });
  },
  'v4_order_patch_response.json': (file) => patchOrder(respondWith(file), 'order-1', { orderType: 'order' }),
  // This sample is named a quote, but is actually a page of search records.
  'v4_quote_response_2025.json': (file) => searchOrdersResponseSchema.parse(bodyOf(file)),
};

/** The request schema for each sample request. */
const requests: Record<string, z.ZodType> = {
  'stock_region_availability_request.json': stockAvailabilityRequestSchema,
  'v2_quote_request.json': quoteV2RequestSchema,
  'v4_order_patch_convert_request.json': patchOrderRequestSchema,
  'v4_order_patch_files_request.json': patchOrderRequestSchema,
  'v4_orders_search_request.json': searchOrdersRequestSchema,
};
/** Samples with placeholders or fields that no request may contain. Other tests read them. */
const oddRequests = ['v2_order_create_request.json', 'v4_order_create_split_request.json'];
const errors = ['error_stock_too_many_products.json', 'v2_error_400.json'];

test('every sample file is used by a test', () => {
  const events = files.filter((file) => file.startsWith('webhook_'));
  const read = [...Object.keys(answers), ...Object.keys(requests), ...oddRequests, ...errors, ...events];
  expect(read.toSorted()).toEqual(files.toSorted());
  expect(files.length).toBeGreaterThan(30);
});

test.each(Object.entries(answers))('the sample %s is read completely', async (file, read) => {
  expect(findLostPaths(bodyOf(file), await read(file))).toEqual([]);
});

test.each(Object.entries(requests))('the sample request %s is allowed unchanged', (file, schema) => {
  expect(schema.parse(bodyOf(file))).toEqual(bodyOf(file));
});

describe('the sample requests and events', () => {
  test("a create request names its file by URL and does not accept a later version's file list", () => {
    const sample = bodyOf('v4_order_create_split_request.json') as { items: { files: { url: string }[] }[] };
    const { error } = createOrderRequestSchema.safeParse(sample);
    expect(error?.issues.map(({ code, path }) => [code, path])).toEqual(
      [0, 1, 2].map((index) => ['unrecognized_keys', ['items', index]]),
    );
    const items = sample.items.map(({ files: [file], ...item }) => ({ ...item, fileUrl: file?.url }));
    expect(createOrderRequestSchema.safeParse({ ...sample, items }).error).toBeUndefined();
  });
});

test.each(files.filter((file) => file.startsWith('webhook_')))(
  'the sample event %s is read as its kind, with all its fields',
  (file) => {
    const { event: name, object: olderName, ...fields } = bodyOf(file) as Record<string, unknown>;
    const { kind, ...event } = parseEvent(bodyOf(file));
    expect(kind).toBe(name ?? 'order_status_updated');
    expect(olderName).toBe(name === undefined ? 'orderStatus' : undefined);
    // An empty comment is read as a missing comment.
    const comment = fields['comment'] === '' ? { comment: null } : {};
    expect(findLostPaths({ ...fields, ...comment }, event)).toEqual([]);
    for (const [field, value] of Object.entries(event)) {
      // Missing fields of nested objects are read as null, as in the event itself.
      if (value !== null) expect({ [field]: withoutNulls(value) }).toEqual({ [field]: fields[field] });
    }
  },
);
