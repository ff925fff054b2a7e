import { describe, expect, test } from 'vitest';
import { useTestClock } from '../../helpers/eventually.ts';
import { connect, failureOf, json, startService } from '../servers.ts';

const PROMISE = 'd_0123456789abcdefABCDEF01';
const REFERENCE = 'pl0001-1001-1-ABCDEFGHJKMN';

async function startResponding(status: number, body: unknown) {
  const service = await startService((_request, response) => json(response, status, body));
  return { ...service, v2: connect(service.url).v2('legacy') };
}

describe('an order of v2', () => {
  test.each([
    [400, { message: 'Invalid request body.' }, 'refused'],
    [401, { message: 'No valid API key.' }, 'account_refused'],
    [402, { message: 'No credit.' }, 'unclear'],
    [429, { message: 'Too many requests.' }, 'nothing_made'],
    [500, { message: 'Server error.' }, 'unclear'],
    [503, { message: 'Server error.' }, 'unclear'],
    [200, 'OK', 'unclear'],
  ])('a v2 create request that gets %i with the body %j is %s and is not retried', async (status, body, outcome) => {
    const { v2, requests } = await startResponding(status, body);
    expect((await failureOf(v2.createOrder(PROMISE))).outcome).toBe(outcome);
    expect(requests).toHaveLength(1);
  });

  test.each(['d_short', `${PROMISE}0`, 'd_0123456789abcdefABCDEF-1', ''])(
    'a v2 order is not created from an invalid promise UID (%#)',
    async (promiseUid) => {
      const { v2, requests } = await startResponding(200, { message: 'Promise accepted.' });
      expect(await failureOf(v2.createOrder(promiseUid))).toMatchObject({ outcome: 'refused', field: 'promiseUid' });
      expect(requests).toEqual([]);
    },
  );
});

describe('a status of v2', () => {
  const status = { orderReferenceId: REFERENCE, orderItems: [{ itemReferenceId: 'line-1', status: 'passed' }] };

  test('a v2 status of another order is invalid', async () => {
    const { v2 } = await startResponding(200, { ...status, orderReferenceId: 'another' });
    expect((await failureOf(v2.getOrderStatus(REFERENCE))).outcome).toBe('unavailable');
  });

  test('a v2 status request can be retried until the newly created order is found', async () => {
    const service = await startService((_request, response, index) =>
      index < 2 ? json(response, 404, { message: 'Order not found.' }) : json(response, 200, status),
    );
    const clock = await useTestClock();
    const v2 = connect(service.url, { clock }).v2('legacy');
    const read = await clock.during(v2.getOrderStatus(REFERENCE, { retryNotFoundMs: 5_000 }));
    expect(read.orderItems).toHaveLength(1);
    expect(service.requests).toHaveLength(3);
  });

  test.each(['', '.', '..', '../cancel', 'a/b', 'a?b', 'a#b', 'a%2Fb', 'x'.repeat(201)])(
    'a v2 status is not requested with a reference that could lead to another path (%#)',
    async (reference) => {
      const { v2, requests } = await startResponding(200, status);
      const options = { retryNotFoundMs: 60_000 };
      expect(await failureOf(v2.getOrderAddress(reference))).toMatchObject({ outcome: 'not_found', status: null });
      expect(await failureOf(v2.getOrderStatus(reference, options))).toMatchObject({
        outcome: 'not_found',
        status: null,
      });
      expect(requests).toEqual([]);
    },
  );
});
