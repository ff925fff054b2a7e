import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseEvent } from '../../src/print/events.ts';
import { orderSchema } from '../../src/print/objects.ts';
import { createOrderRequestSchema } from '../../src/print/orders-v3.ts';
import {
  patchOrderRequestSchema,
  searchOrdersRequestSchema,
  searchOrdersResponseSchema,
} from '../../src/print/orders-v4.ts';
import { toPrintError } from '../../src/print/to-print-error.ts';

const folder = new URL('../fixtures/print/', import.meta.url);
const files = readdirSync(folder).filter((file) => file !== 'INDEX.json');

function textOf(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

function bodyOf(file: string): unknown {
  return JSON.parse(textOf(file));
}

/** Samples of calls that this folder does not make: the catalog, stock, store products and the earlier interface. */
const otherCalls = /^(catalog_|product|shipment_methods|stock_|store_product_create|template_get|v2_(order|quote))/;

test('every sample is of a known sort', () => {
  const read = /^(webhook_|error_|v2_error_|v4_)/;
  expect(files.filter((file) => !read.test(file) && !otherCalls.test(file))).toEqual([]);
  expect(files.length).toBeGreaterThan(30);
});

describe('orders', () => {
  test.each(files.filter((file) => /^v4_order_(create_split|patch)_response/.test(file)))(
    '%s is read in full',
    (file) => {
      const body = bodyOf(file) as Record<string, unknown>;
      const order = orderSchema.parse(body);
      expect(order.id).toBe(body['id']);
      expect(order.items.length).toBeGreaterThan(0);
      expect(order.items[0]?.quantity).toBeGreaterThan(0);
      expect(order.shipment?.shipmentMethodUid).toMatch(/^[a-z_]+$/);
      expect(order.billingEntity?.companyName).toBeTruthy();
      expect(order.shippingAddress?.city).toBe('New York');
      expect(order.receipts[0]?.items.length).toBeGreaterThan(0);
      expect(order.receipts[0]?.totalInclVat).toBeTypeOf('number');
      expect(Object.keys(order)).toEqual(expect.arrayContaining(Object.keys(body)));
    },
  );

  test('a split order lists its parts, and a number where a text is meant is read', () => {
    const order = orderSchema.parse(bodyOf('v4_order_create_split_response.json'));
    expect(order.connectedOrderIds).toEqual([order.id, '2b8b2b0d-1383-44ac-a650-17619b30a0dc']);
    expect(order.billingEntity?.id).toBe('533');
  });

  test('packages tell their items and codes', () => {
    const order = orderSchema.parse(bodyOf('v4_order_patch_response.json'));
    expect(order.shipment?.packages).toEqual([
      {
        id: '4a771ca0-7de4-4f0b-a7d4-9c952093af6c',
        orderItemIds: order.items.map(({ id }) => id),
        trackingCode: '12345678990',
        trackingUrl: 'http://test.tracking.url',
      },
    ]);
  });

  test('search records keep amounts as decimal texts and nulls as null', () => {
    const { orders } = searchOrdersResponseSchema.parse(bodyOf('v4_quote_response_2025.json'));
    expect(
      orders.map(({ totalInclVat, channel, storeId, orderedAt }) => [totalInclVat, channel, storeId, orderedAt]),
    ).toEqual([
      ['49.12', 'shopify', 'a6bf6ec0-28cb-43a5-92b0-2550f007aac5', '2024-01-15T12:32:03+00:00'],
      ['0.00', null, null, null],
    ]);
  });
});

describe('requests', () => {
  test('a search and both patches are allowed', () => {
    expect(searchOrdersRequestSchema.parse(bodyOf('v4_orders_search_request.json'))).toEqual(
      bodyOf('v4_orders_search_request.json'),
    );
    for (const file of ['v4_order_patch_convert_request.json', 'v4_order_patch_files_request.json']) {
      expect(patchOrderRequestSchema.parse(bodyOf(file))).toEqual(bodyOf(file));
    }
  });

  test('a create names its file by URL: the list of files of a later version is no field of it', () => {
    const sample = bodyOf('v4_order_create_split_request.json') as { items: { files: { url: string }[] }[] };
    const { error } = createOrderRequestSchema.safeParse(sample);
    expect(error?.issues.map(({ code, path }) => [code, path])).toEqual(
      [0, 1, 2].map((index) => ['unrecognized_keys', ['items', index]]),
    );
    const items = sample.items.map(({ files: [file], ...item }) => ({ ...item, fileUrl: file?.url }));
    expect(createOrderRequestSchema.safeParse({ ...sample, items }).error).toBeUndefined();
  });
});

test.each([
  ['error_stock_too_many_products.json', 'Too many products requested: 273 of maximum 250.'],
  ['v2_error_400.json', 'Invalid request body.'],
])('%s gives its message', (file, message) => {
  const call = { operation: 'createOrder', kind: 'create', method: 'POST' } as const;
  const error = toPrintError(call, { status: 400, retryAfter: null, text: textOf(file) }, new Date());
  expect(error).toMatchObject({ outcome: 'refused', serviceMessage: message });
});

test.each(files.filter((file) => file.startsWith('webhook_')))('%s is read as what it is', (file) => {
  const body = bodyOf(file) as Record<string, unknown>;
  const event = parseEvent(body);
  expect(event.kind).toBe(body['event'] ?? 'order_status_updated');
  expect(event.id).toBe(body['id']);
  for (const [name, value] of Object.entries(event)) {
    if (name !== 'kind' && !(name === 'comment' && value === null))
      expect({ [name]: value }).toEqual({ [name]: body[name] });
  }
});
