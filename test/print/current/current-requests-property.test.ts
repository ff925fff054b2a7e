import fc from 'fast-check';
import { describe, test } from 'vitest';
import { createOrderRequestSchema, searchOrdersV3RequestSchema } from '../../../src/print/current/orders-v3.ts';
import { quoteRequestSchema, searchOrdersRequestSchema } from '../../../src/print/current/orders-v4.ts';
import type { BrokenLimit } from '../broken-limits.ts';
import { createLimits, quoteLimits, searchLimits } from './current-limits.ts';
import { expectRefused, expectAccepted, type LimitedCall } from '../expect-same-limits.ts';
import { openService } from '../open-service.ts';
import { createRequest, quoteRequest, searchV3Request, searchV4Request } from '../request-arbitraries.ts';

const service = openService();

const create: LimitedCall = { path: '/v3/orders', schema: createOrderRequestSchema, allowed: createRequest };
const quote: LimitedCall = { path: '/v4/orders:quote', schema: quoteRequestSchema, allowed: quoteRequest };
const searchV3: LimitedCall = {
  path: '/v3/orders:search',
  schema: searchOrdersV3RequestSchema,
  allowed: searchV3Request,
};
const searchV4: LimitedCall = {
  path: '/v4/orders:search',
  schema: searchOrdersRequestSchema,
  allowed: searchV4Request,
};

const orderTypes: BrokenLimit = {
  field: 'orderTypes[0]',
  rule: 'must be order or draft',
  change: fc.constantFrom('quote', '', null).map((one) => ({ orderTypes: [one] })),
};
const calls = [
  { name: 'a create request', call: create, limits: createLimits },
  { name: 'a quote request', call: quote, limits: quoteLimits },
  { name: 'a v4 search', call: searchV4, limits: [...searchLimits, orderTypes] },
  { name: 'a v3 search', call: searchV3, limits: searchLimits },
];

describe.each(calls)('$name', ({ call, limits }) => {
  test('the client sends and the service accepts every request that the interface allows', async () => {
    await expectAccepted(service(), call, 100);
  });

  test.each(limits)('the client and the service refuse the request and name $field, which $rule', async (limit) => {
    await expectRefused(service(), call, limit, 3);
  });
});
