import { describe, expect, test } from 'vitest';
import { connect, failureOf, json, startService } from '../servers.ts';

const REFERENCE = '1789012345';

async function startResponding(status: number, body: unknown) {
  const service = await startService((_request, response) => json(response, status, body));
  return { ...service, v1: connect(service.url).v1('legacy') };
}

describe('an order of v1', () => {
  test.each(['', '1.5', '1e3', '01', ' 1', '0x10', String(2 ** 53), '../create', 'NaN', '١'])(
    'no v1 request is sent for the reference %j, which is not a valid integer reference',
    async (reference) => {
      const { v1, requests } = await startResponding(200, { message: 'Done.' });
      const options = { retryNotFoundMs: 60_000 };
      expect(await failureOf(v1.getOrderStatus(reference, options))).toMatchObject({
        outcome: 'not_found',
        status: null,
      });
      expect(await failureOf(v1.cancelOrder(reference))).toMatchObject({ outcome: 'not_found', status: null });
      expect(requests).toEqual([]);
    },
  );
});

describe('a status of v1', () => {
  const orderItem = { itemReferenceId: 4, status: 'shipped', trackingCode: [{ parcelNumber: 1, trackingCode: 'T1' }] };

  test('a v1 status of another order is invalid', async () => {
    const { v1 } = await startResponding(200, { orderReferenceId: 5, orderItem });
    expect((await failureOf(v1.getOrderStatus(REFERENCE))).outcome).toBe('unavailable');
  });
});
