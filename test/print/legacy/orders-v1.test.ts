import { describe, expect, test } from 'vitest';
import { type QuoteV1Request } from '../../../src/print/legacy/orders-v1.ts';
import { POSTER } from '../../sandbox/print/service.ts';
import { connect, failureOf, json, startService } from '../servers.ts';

const PROMISE = 'd_0123456789abcdefABCDEF01';
const REFERENCE = '1789012345';

const quoteRequest: QuoteV1Request = {
  order: { customerReferenceId: 17, orderReferenceId: Number(REFERENCE), currencyIsoCode: 'USD' },
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
  product: { itemReferenceId: 4, productUid: POSTER, pdfUrl: 'https://files.example/print.pdf', quantity: 2 },
};
const shipment = {
  promiseUid: PROMISE,
  uid: 'ups_surepost',
  price: 7.63,
  promiseExpirationDateTime: '2026-06-11T11:35:07+00:00',
};
const production = {
  itemReferenceId: 4,
  productionCountry: 'US',
  productionTimeZone: 'America/New_York',
  shipments: [shipment],
};

async function startResponding(status: number, body: unknown) {
  const service = await startService((_request, response) => json(response, status, body));
  return { ...service, v1: connect(service.url).v1('legacy') };
}

describe('a quote of v1', () => {
  test('a v1 quote is read like a v2 quote, with numeric references as text', async () => {
    const { v1, requests } = await startResponding(200, { orderReferenceId: Number(REFERENCE), production });
    const quote = await v1.quote(quoteRequest);
    expect(quote.orderReferenceId).toBe(REFERENCE);
    expect(quote.production).toMatchObject({ itemReferenceIds: ['4'], productionCountry: 'US', shipments: [shipment] });
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/v1/quote' });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(quoteRequest);
  });
});

describe('an order of v1', () => {
  test.each([
    [400, 'refused', 'none'],
    [402, 'unclear', 'unknown'],
    [403, 'account_refused', 'none'],
    [429, 'nothing_made', 'none'],
    [409, 'unclear', 'unknown'],
    [502, 'unclear', 'unknown'],
  ])('a v1 create request that gets a %i response is %s and is not retried', async (status, outcome, effect) => {
    const { v1, requests } = await startResponding(status, { message: 'No.' });
    expect(await failureOf(v1.createOrder(PROMISE))).toMatchObject({ outcome, effect });
    expect(requests).toHaveLength(1);
  });

  test.each([
    [404, 'not_found'],
    [409, 'refused'],
    [500, 'unclear'],
  ])('a v1 cancel request that gets a %i response is %s and is not retried', async (status, outcome) => {
    const { v1, requests } = await startResponding(status, { message: 'No.' });
    expect((await failureOf(v1.cancelOrder(REFERENCE))).outcome).toBe(outcome);
    expect(requests.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
      { method: 'POST', url: '/v1/order/cancel', body: `{"orderReferenceId":${REFERENCE}}` },
    ]);
  });

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

  test('a v1 status is read like a v2 status', async () => {
    const { v1, requests } = await startResponding(200, { orderReferenceId: Number(REFERENCE), orderItem });
    expect(await v1.getOrderStatus(REFERENCE)).toMatchObject({
      orderReferenceId: REFERENCE,
      orderItems: [
        {
          itemReferenceId: '4',
          status: 'shipped',
          trackingCodes: [{ parcelNumber: 1, trackingCode: 'T1' }],
          productionLog: [],
        },
      ],
    });
    expect(requests[0]).toMatchObject({ method: 'GET', url: `/v1/order/status/${REFERENCE}` });
  });

  test('a v1 status of another order is invalid', async () => {
    const { v1 } = await startResponding(200, { orderReferenceId: 5, orderItem });
    expect((await failureOf(v1.getOrderStatus(REFERENCE))).outcome).toBe('unavailable');
  });
});
