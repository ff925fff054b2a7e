import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOrderRequestSchema } from '../../src/print/current/orders-v3.ts';
import { quoteRequestSchema, searchOrdersRequestSchema } from '../../src/print/current/orders-v4.ts';
import { startService } from '../sandbox/print/service.ts';
import { createRequest, quoteRequest, searchV4Request } from './request-arbitraries.ts';

test.each([
  { name: 'create request', path: '/v3/orders', schema: createOrderRequestSchema, allowed: createRequest },
  { name: 'quote request', path: '/v4/orders:quote', schema: quoteRequestSchema, allowed: quoteRequest },
  { name: 'search', path: '/v4/orders:search', schema: searchOrdersRequestSchema, allowed: searchV4Request },
])(
  'the client sends and the service accepts every $name that the interface allows',
  async ({ path, schema, allowed }) => {
    const service = await startService();
    await fc.assert(
      fc.asyncProperty(allowed, async (body) => {
        expect(schema.safeParse(body).error?.issues ?? []).toEqual([]);
        expect(await service.call('POST', path, body)).toMatchObject({ status: 200 });
      }),
      { numRuns: 50 },
    );
  },
);
