import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createOrderRequestSchema } from '../../src/print/current/orders-v3.ts';
import { quoteRequestSchema } from '../../src/print/current/orders-v4.ts';
import { parseTimestamp } from '../../src/print/parse-timestamp.ts';
import { createRequest, quoteRequest } from './servers.ts';

/** Returns the paths at which a schema reports errors. */
function faults(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return error?.issues.map(({ path }) => z.core.toDotPath(path)) ?? [];
}

describe('the create and quote requests', () => {
  const item = createRequest.items[0]!;
  const product = quoteRequest.products[0]!;

  test('create and quote requests accept HTTP and HTTPS print files', () => {
    for (const [url, allowed] of [
      ['https://files.example/a.pdf?dl=1', true],
      ['http://files.example/a.pdf', true],
      ['ftp://files.example/a.pdf', false],
      ['javascript:alert(1)', false],
      ['files/a.pdf', false],
      ['', false],
    ] as const) {
      const items = [{ ...item, fileUrl: url }];
      expect(faults(createOrderRequestSchema, { ...createRequest, items })).toEqual(
        allowed ? [] : ['items[0].fileUrl'],
      );
      const products = [{ ...product, files: [{ type: 'default', url }] }];
      expect(faults(quoteRequestSchema, { ...quoteRequest, products })).toEqual(
        allowed ? [] : ['products[0].files[0].url'],
      );
    }
    expect(faults(createOrderRequestSchema, { ...createRequest, items: [{ ...item, fileUrl: undefined }] })).toEqual(
      [],
    );
  });
});

test.each([
  ['2021-01-14T12:30:03+00:00', '2021-01-14T12:30:03.000Z'],
  ['2023-06-21T09:44:03+0000', '2023-06-21T09:44:03.000Z'],
  ['2023-06-21T09:44:03+0230', '2023-06-21T07:14:03.000Z'],
  ['2023-06-21T09:44:03-05:00', '2023-06-21T14:44:03.000Z'],
  ['2023-06-21T09:44:03Z', '2023-06-21T09:44:03.000Z'],
  ['2023-06-21T09:44:03.250Z', '2023-06-21T09:44:03.250Z'],
  ['0000-01-01T00:00:00Z', undefined],
  ['0001-01-01T00:00:00+14:00', undefined],
  ['9999-12-31T23:59:59-12:00', undefined],
  ['2023-06-21', undefined],
  ['2023-06-21T09:44:03', undefined],
  ['2023-13-21T09:44:03Z', undefined],
  ['soon', undefined],
  ['', undefined],
])('the timestamp %j is parsed as %s', (value, iso) => {
  expect(parseTimestamp(value)?.toISOString()).toBe(iso);
});
