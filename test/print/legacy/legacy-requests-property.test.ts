import { describe, test } from 'vitest';
import { quoteV1RequestSchema } from '../../../src/print/legacy/orders-v1.ts';
import { quoteV2RequestSchema } from '../../../src/print/legacy/orders-v2.ts';
import { expectRefused, expectAccepted, type LimitedCall } from '../expect-same-limits.ts';
import { quoteV1Request, quoteV2Request } from './legacy-arbitraries.ts';
import { quoteV1Limits, quoteV2Limits } from './legacy-limits.ts';
import { openService } from '../open-service.ts';

const service = openService();

const quoteV1: LimitedCall = {
  path: '/v1/quote',
  schema: quoteV1RequestSchema,
  allowed: quoteV1Request,
  names: 'message',
};
const quoteV2: LimitedCall = {
  path: '/v2/quote',
  schema: quoteV2RequestSchema,
  allowed: quoteV2Request,
  names: 'message',
};

describe.each([
  { name: 'a v1 quote request', call: quoteV1, limits: quoteV1Limits },
  { name: 'a v2 quote request', call: quoteV2, limits: quoteV2Limits },
])('$name', ({ call, limits }) => {
  test('the client sends and the service accepts every request that the interface allows', async () => {
    await expectAccepted(service(), call, 100);
  });

  test.each(limits)('the client and the service refuse the request and name $field, which $rule', async (limit) => {
    await expectRefused(service(), call, limit, 3);
  });
});
