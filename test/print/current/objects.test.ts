import { expect, test } from 'vitest';
import { orderSchema } from '../../../src/print/current/objects.ts';
import { parseJson } from '../../../src/print/http/parse-json.ts';

/** Parses a value as the client parses the service's response. */
const read = (answer: object) => orderSchema.safeParse(parseJson(JSON.stringify(answer)));

test('characters that the database cannot store are removed from the texts of a response', () => {
  const { data: order } = read({
    id: 'a\0b',
    orderReferenceId: 'ref\uD800',
    fulfillmentStatus: 'pas\0sed',
    items: [{ id: '1', itemReferenceId: '1', productUid: '\0' }],
    shipment: {
      shipmentMethodName: 'Post\0',
      packages: [{ trackingCode: 'C\0', trackingUrl: 'https://t.example/\uDC00' }],
    },
  });
  expect(JSON.stringify(order)).not.toMatch(/\\u0000|\\ud800|\\udc00/i);
  expect(order).toMatchObject({ id: 'ab', orderReferenceId: 'ref\uFFFD', fulfillmentStatus: 'passed' });
  expect(order?.shipment).toMatchObject({ shipmentMethodName: 'Post', packages: [{ trackingCode: 'C' }] });
});

test('an ID that consists only of characters that the database cannot store counts as missing', () => {
  const { success } = read({ id: '\0', orderReferenceId: 'ref' });
  expect(success).toBe(false);
});

const HUGE = 'x'.repeat(100_000);

test('numbers and texts that the database cannot store count as missing', () => {
  const { data: order } = read({
    id: 'a',
    orderReferenceId: 'ref',
    fulfillmentStatus: HUGE,
    items: [
      { id: '1', itemReferenceId: '1', quantity: 1e308 },
      { id: '2', itemReferenceId: '2', quantity: -1 },
      { id: '3', itemReferenceId: '3', quantity: '12' },
    ],
    shipment: { totalWeight: 1e308, packages: [{ trackingCode: HUGE, trackingUrl: HUGE }] },
    receipts: [{ id: HUGE, total: HUGE }],
  });
  expect(order).toMatchObject({
    fulfillmentStatus: null,
    items: [{ quantity: null }, { quantity: null }, { quantity: 12 }],
    shipment: { totalWeight: null, packages: [{ trackingCode: null, trackingUrl: null }] },
    receipts: [{ id: null, total: null }],
  });
});

test.each(['id', 'orderReferenceId'])('an order is not read if its %s is too long for an index', (name) => {
  expect(read({ id: 'a', orderReferenceId: 'ref', [name]: HUGE }).success).toBe(false);
});
