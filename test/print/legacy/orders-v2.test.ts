import { describe, expect, test } from 'vitest';
import { type QuoteV2Request } from '../../../src/print/legacy/orders-v2.ts';
import { POSTER } from '../../sandbox/print/service.ts';
import { useTestClock } from '../../helpers/eventually.ts';
import { connect, failureOf, json, startService } from '../servers.ts';

const PROMISE = 'd_0123456789abcdefABCDEF01';
const REFERENCE = 'pl0001-1001-1-ABCDEFGHJKMN';
const PDF = 'https://files.example/print.pdf';

const quoteRequest: QuoteV2Request = {
  order: { customerReferenceId: 'demo-guest', orderReferenceId: REFERENCE, currencyIsoCode: 'USD' },
  recipient: {
    countryIsoCode: 'US',
    firstName: 'Marigold',
    lastName: 'Quillfeather',
    addressLine1: '451 Clarkson Ave',
    city: 'New York',
    postcode: '11203',
    stateCode: 'NY',
    email: 'marigold@example.com',
  },
  products: [{ itemReferenceId: 'line-1', productUid: POSTER, pdfUrl: PDF, quantity: 2 }],
};

const shipment = {
  promiseUid: PROMISE,
  name: 'UPS Surepost',
  uid: 'ups_surepost',
  price: 7.63,
  minDeliveryDays: 6,
  maxDeliveryDays: 7,
  minDeliveryDate: '2026-06-16',
  maxDeliveryDate: '2026-06-17',
  serviceType: 'normal',
  methodType: 'both',
  totalWeight: 613,
  numberOfParcels: 1,
  promiseExpirationDateTime: '2026-06-11T11:35:07+00:00',
};

async function startResponding(status: number, body: unknown) {
  const service = await startService((_request, response) => json(response, status, body));
  return { ...service, v2: connect(service.url).v2('legacy') };
}

const place = { productionCountry: 'US', productionTimeZone: 'America/New_York' };

describe('a quote of v2', () => {
  test.each([
    ['one object with one item', { ...place, itemReferenceId: 'a', shipments: [shipment] }, [['a']]],
    ['one object with a list of items', { ...place, itemReferenceId: ['a', 'b'], shipments: [shipment] }, [['a', 'b']]],
    [
      'a list of productions',
      [
        { ...place, itemReferenceId: 'a', shipments: [shipment] },
        { ...place, itemReferenceId: ['b', 'c'], shipments: [shipment] },
      ],
      [['a'], ['b', 'c']],
    ],
  ])('a v2 quote whose production is %s is read as a list of productions', async (_title, production, items) => {
    const { v2, requests } = await startResponding(200, { orderReferenceId: REFERENCE, production });
    const quote = await v2.quote(quoteRequest);
    expect(quote.production.map(({ itemReferenceIds }) => itemReferenceIds)).toEqual(items);
    expect(quote).toMatchObject({ orderReferenceId: REFERENCE, production: items.map(() => place) });
    expect(quote.production[0]?.shipments).toEqual([shipment]);
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/v2/quote' });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(quoteRequest);
  });
});

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
