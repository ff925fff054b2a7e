import { describe, expect, test } from 'vitest';
import { pickMethod } from '../../src/orders/quote/pick-method.ts';
import { openPort } from '../../src/print/open-port.ts';
import type { PortChoice, PortQuoteRequest, PrintOrderBody, PrintPort } from '../../src/print/port.ts';
import { collect, connect, createRequest, failureOf, json, quoteRequest, startService } from './servers.ts';

const FILES = [{ type: 'default', url: 'https://files.example/mug.pdf' }];
const PROMISE = { uid: 'd_0123456789abcdefABCDEFgh', expiresAt: '2099-01-01T00:00:00+00:00' };
const shipment = {
  promiseUid: PROMISE.uid,
  name: 'DHL',
  uid: 'dhl',
  price: 4.5,
  minDeliveryDays: 1,
  maxDeliveryDays: 3,
  minDeliveryDate: '2026-12-01',
  maxDeliveryDate: '2026-12-03',
  serviceType: 'express',
  methodType: 'business',
  totalWeight: 400,
  numberOfParcels: 1,
  promiseExpirationDateTime: PROMISE.expiresAt,
};
const production = (itemReferenceId: unknown, shipments = [shipment]) => ({
  itemReferenceId,
  productionCountry: 'US',
  productionTimeZone: 'America/New_York',
  shipments,
});
const choose = (printInterface: PortChoice['printInterface'], host: PortChoice['legacyHost'] = 'legacy') => ({
  printInterface,
  legacyHost: host,
});
const { orderType: _orderType, ...body } = createRequest;
const withPromise: PrintOrderBody = { ...body, promise: PROMISE };
const request: PortQuoteRequest = {
  ...quoteRequest,
  recipient: { ...quoteRequest.recipient, companyName: 'Quill Ltd', phone: '+1 212 555 0100' },
  products: [
    {
      itemReferenceId: '77',
      productUid: 'mug',
      files: FILES,
      quantity: 2,
      envelopes: { productUid: 'env', quantity: 20 },
    },
  ],
};

/** Opens a port to a service that responds to every request with `answer`. Also returns the requests that the service received. */
async function open(choice: PortChoice, answer: unknown, status = 200, extendedCalls = true) {
  const service = await startService((_request, response) => json(response, status, answer));
  const asked = () =>
    service.requests.map(({ method, url, body: sent }) => [method, url, sent ? JSON.parse(sent) : null]);
  const { extended, ...calls } = connect(service.url);
  return { port: openPort({ ...calls, extended: extendedCalls ? extended : 'unsupported' }, choice), asked };
}

const unsupportedOf = (port: PrintPort) =>
  (['confirm', 'status', 'cancel', 'deleteDraft'] as const).filter((call) => port[call] === 'unsupported');

test.each([
  ['current', true, []],
  ['current', false, ['confirm', 'status', 'cancel']],
  ['v2', true, ['confirm', 'cancel', 'deleteDraft']],
  ['v1', true, ['confirm', 'deleteDraft']],
] as const)(
  'the port for %s (extended calls: %s) marks the unavailable calls as unsupported',
  async (printInterface, extendedCalls, lacking) => {
    const { port } = await open(choose(printInterface), {}, 200, extendedCalls);
    expect(unsupportedOf(port)).toEqual(lacking);
    expect(port.printInterface).toBe(printInterface);
  },
);

/** A valid shipping method, and three methods that lack a price or a currency. */
const METHOD = { shipmentMethodUid: 'dhl', name: 'DHL', price: 4.5, currency: 'USD', type: 'normal' };
const UNPRICED = [
  { ...METHOD, shipmentMethodUid: 'a', price: null },
  { ...METHOD, shipmentMethodUid: 'b', currency: undefined },
  { ...METHOD, shipmentMethodUid: 'c', price: { amount: 3 } },
];
/** A shipment of the earlier interface that is offered for any address. */
const PARCEL = { ...shipment, methodType: 'all' };
const TERMS = { isBusiness: false, currency: 'USD', today: '2026-11-23' };

test.each([
  ['current', { itemReferenceIds: ['77'], shipmentMethods: [...UNPRICED, METHOD] }, 'quotes'],
  ['v2', [production('77', [{ ...PARCEL, uid: 'a', price: null as never }, PARCEL])], ''],
] as const)('in a quote of %s, methods without a price do not affect other methods', async (choice, offered, key) => {
  const answer = { orderReferenceId: 'ref', ...(key === '' ? { production: offered } : { [key]: [offered] }) };
  const { port } = await open(choose(choice), answer);
  const [quote] = await port.quote(request);
  expect(pickMethod(quote?.shipmentMethods ?? [], {}, TERMS)).toMatchObject({ method: { shipmentMethodUid: 'dhl' } });
  expect(pickMethod(quote?.shipmentMethods.slice(0, 1) ?? [], {}, TERMS)).toEqual({
    lack: 'none of these methods has a price',
  });
});

describe('the port for v2', () => {
  test('a v2 request uses its own field names, and each production becomes a quote with its promise', async () => {
    const answer = { orderReferenceId: 'ref', production: [production(['77', '78']), production('79', [])] };
    const { port, asked } = await open(choose('v2'), answer);
    const quotes = await port.quote(request);
    expect(asked()).toEqual([
      [
        'POST',
        '/v2/quote',
        {
          order: {
            orderReferenceId: request.orderReferenceId,
            customerReferenceId: 'demo-guest',
            currencyIsoCode: 'USD',
          },
          recipient: {
            countryIsoCode: 'US',
            companyName: 'Quill Ltd',
            firstName: 'Marigold',
            lastName: 'Quillfeather',
            addressLine1: '451 Clarkson Ave',
            stateCode: 'NY',
            city: 'New York',
            postcode: '11203',
            email: 'marigold@example.com',
            phone: '+1 212 555 0100',
          },
          products: [
            {
              itemReferenceId: '77',
              productUid: 'mug',
              pdfUrl: 'https://files.example/mug.pdf',
              quantity: 2,
              options: [{ type: 'envelope', productUid: 'env', quantity: 20 }],
            },
          ],
        },
      ],
    ]);
    expect(quotes.map(({ itemReferenceIds }) => itemReferenceIds)).toEqual([['77', '78'], ['79']]);
    expect(quotes[0]?.shipmentMethods).toEqual([
      {
        shipmentMethodUid: 'dhl',
        name: 'DHL',
        type: 'express',
        price: 4.5,
        currency: 'USD',
        minDeliveryDate: '2026-12-01',
        maxDeliveryDate: '2026-12-03',
        isPrivate: false,
        isBusiness: true,
        incoTerms: null,
        numberOfParcels: 1,
        promise: PROMISE,
      },
    ]);
  });

  test('a v2 draft and a v2 order without a promise are not sent', async () => {
    const { port, asked } = await open(choose('v2'), { message: 'Promise accepted' });
    for (const call of [port.create(withPromise, { orderType: 'draft' }), port.create(body, { orderType: 'order' })])
      expect(await failureOf(call)).toMatchObject({ outcome: 'refused', field: 'promiseUid' });
    expect(asked()).toEqual([]);
  });

  test('a v2 status contains the items, and lists each package once with all its items', async () => {
    const tracking = (code: string) => ({
      parcelNumber: 1,
      trackingCode: code,
      trackingUrl: code && `https://t.example/${code}`,
    });
    const item = (itemReferenceId: string, status: string, codes: string[]) => ({
      itemReferenceId,
      status,
      trackingCode: codes.map(tracking),
      productionLog: [{ date: '2026-11-21T10:00:00+00:00', printJobId: 7, message: 'PrintJob created' }],
    });
    const orderItems = [item('1', 'shipped', ['A', 'B']), item('2', 'printed', ['A']), item('3', 'shipped', [''])];
    const { port } = await open(choose('v2'), { orderReferenceId: 'ref', orderItems });
    if (port.status === 'unsupported') throw new Error('v2 must support status requests');
    const order = await port.status('ref');
    expect(order).toMatchObject({ id: 'ref', fulfillmentStatus: 'printed' });
    expect(order.shipment?.packages).toEqual([
      { trackingCode: 'A', trackingUrl: 'https://t.example/A', orderItemIds: ['1', '2'] },
      { trackingCode: 'B', trackingUrl: 'https://t.example/B', orderItemIds: ['1'] },
    ]);
    expect(order.productionLog).toHaveLength(3);
    expect(order.productionLog[0]).toMatchObject({
      itemReferenceId: '1',
      printJobId: '7',
      message: 'PrintJob created',
    });
  });

  test.each([
    [['shipped', 'failed', 'passed'], 'passed'],
    [['shipped', 'canceled'], 'shipped'],
    [['failed', 'canceled'], 'failed'],
    [['canceled', 'canceled'], 'canceled'],
    [['shipped', 'passed', 'printed'], 'passed'],
    [['created', 'shipped'], 'created'],
    [['shipped', 'shipped'], 'shipped'],
  ])('items with the statuses %s result in the order status %s', async (statuses, expected) => {
    const orderItems = statuses.map((status, index) => ({ itemReferenceId: String(index), status }));
    const { port } = await open(choose('v2'), { orderReferenceId: 'ref', orderItems });
    if (port.status === 'unsupported') throw new Error('v2 must support status requests');
    expect((await port.status('ref')).fulfillmentStatus).toBe(expected);
  });

  test('a v2 order whose status request returns 404 is not found, and one request is sent per reference', async () => {
    const service = await startService(({ url }, response) => {
      if (url.endsWith('/b')) return json(response, 200, { orderReferenceId: 'b', orderItems: [] });
      return json(response, 404, { message: 'Order not found' });
    });
    const port = openPort(connect(service.url), choose('v2'));
    expect((await collect(port.find({ orderReferenceIds: ['a', 'b', 'c'] }))).map(({ id }) => id)).toEqual(['b']);
    for await (const { id } of port.find({ ids: ['b', 'c'] })) {
      expect(id).toBe('b');
      break;
    }
    expect(service.requests.map(({ url }) => url.at(-1))).toEqual(['a', 'b', 'c', 'b']);
  });
});

describe('the port for v1', () => {
  const v1Request = { ...request, orderReferenceId: '1234567890' };

  test('a v1 request uses integer references and omits the company, because v1 has no field for it', async () => {
    const { port, asked } = await open(choose('v1'), { orderReferenceId: 1234567890, production: production(77) });
    const quotes = await port.quote(v1Request);
    const [[, url, sent]] = asked() as [
      [string, string, { order: Record<string, unknown>; recipient: object; product: object }],
    ];
    expect(url).toBe('/v1/quote');
    expect(sent.order).toEqual({
      orderReferenceId: 1234567890,
      customerReferenceId: expect.any(Number),
      currencyIsoCode: 'USD',
    });
    expect(sent.order['customerReferenceId']).toBeLessThan(2 ** 31);
    expect(sent.recipient).not.toHaveProperty('companyName');
    expect(sent.product).toEqual({
      itemReferenceId: 77,
      productUid: 'mug',
      pdfUrl: 'https://files.example/mug.pdf',
      quantity: 2,
    });
    expect(quotes.map(({ itemReferenceIds }) => itemReferenceIds)).toEqual([['77']]);
  });

  test('a v1 quote accepts one product, and a quote for several products is refused before it is sent', async () => {
    const { port, asked } = await open(choose('v1'), {});
    const two = { ...v1Request, products: [...request.products, ...request.products] };
    expect(await failureOf(port.quote(two))).toMatchObject({ outcome: 'refused', field: 'product' });
    expect(asked()).toEqual([]);
  });
});
