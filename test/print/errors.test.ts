import { constants } from 'node:os';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createPrintClient, type PrintClientOptions } from '../../src/print/client.ts';
import { parseRetryAfter } from '../../src/print/http/parse-retry-after.ts';
import { toPrintError } from '../../src/print/http/to-print-error.ts';
import {
  allHosts,
  connect,
  createdOrder,
  createRequest,
  failureOf,
  json,
  KEY,
  quoteRequest,
  startService,
} from './servers.ts';
import { systemClock } from '../../src/clock.ts';

const create = { operation: 'createOrder', kind: 'create', method: 'POST', host: 'order' } as const;
const now = new Date('2026-01-01T00:00:00Z');

describe('a create request without a response', () => {
  const codes = Object.keys(constants.errno).concat(
    ['UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_ABORTED'],
    ['TIMEOUT', 'HPE_INVALID_CONSTANT', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ENOTFOUND', 'EAI_AGAIN', 'any code'],
  );

  test('a create request without a response has an unclear outcome if it was written, regardless of the error code', () => {
    for (const code of codes) {
      const error = toPrintError(create, { status: null, code, written: true }, now);
      expect({ code, outcome: error.outcome, effect: error.effect }).toEqual({
        code,
        outcome: 'unclear',
        effect: 'unknown',
      });
    }
  });

  test('a create request without a response created nothing if it was never written, regardless of the error code', () => {
    for (const code of codes) {
      const error = toPrintError(create, { status: null, code, written: false }, now);
      expect({ code, outcome: error.outcome, effect: error.effect }).toEqual({
        code,
        outcome: 'nothing_made',
        effect: 'none',
      });
    }
  });
});

describe('a refusal by the print service', () => {
  test("a refusal names the field and contains the service's message", async () => {
    const body = {
      code: 'invalid_request',
      message: 'The request is not valid.',
      details: [
        { message: 'general' },
        { message: 'Unknown product', reference: 'items[0].productUid', code: 'invalid' },
      ],
    };
    const service = await startService((_request, response) => json(response, 422, body));
    const error = await failureOf(connect(service.url).createOrder(createRequest));
    expect(error).toMatchObject({
      field: 'items[0].productUid',
      serviceMessage: 'The request is not valid.',
      code: 'print_refused',
    });
    expect(JSON.parse(error.body ?? '')).toEqual(body);
  });

  test.each([
    ['{"message":5,"details":"none"}', null, null],
    ['{"details":[{"message":"Too long","reference":7}]}', null, 'Too long'],
    ['{"details":[null,{"reference":"recipient.city"}]}', null, null],
    ['{"details":[{"reference":"recipient.city"}]}', 'recipient.city', null],
    ['[]', null, null],
    ['<html>', null, null],
  ])('a refusal with the unusual body %s is read as far as possible', async (text, field, serviceMessage) => {
    const error = toPrintError(create, { status: 400, retryAfter: null, text }, now);
    expect(error).toMatchObject({ field, serviceMessage, body: text });
  });

  test('the message of a refusal is truncated to 500 characters, and its body to 4 KB', () => {
    const text = JSON.stringify({ message: `${'x'.repeat(499)}😀 and more`, padding: '€'.repeat(10_000) });
    const error = toPrintError(create, { status: 400, retryAfter: null, text }, now);
    expect(error.serviceMessage).toBe('x'.repeat(499));
    expect(Buffer.byteLength(error.body ?? '')).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(error.body ?? '')).toBeGreaterThan(4090);
    expect(text.startsWith(error.body ?? 'nothing')).toBe(true);
  });

  test('a refusal does not expose the key, the body or a name in the log', async () => {
    const service = await startService(({ headers, body }, response) =>
      json(response, 400, { message: `Bad key ${String(headers['x-api-key'])}`, echo: body }),
    );
    const error = await failureOf(connect(service.url).createOrder(createRequest));
    const shown = [
      error.message,
      String(error),
      inspect(error, { depth: 10, showHidden: true }),
      JSON.stringify(error),
    ];
    for (const text of [...shown, error.stack, JSON.stringify(Object.entries(error))]) {
      for (const secret of [KEY, 'Marigold', 'Quillfeather', 'Clarkson', 'marigold@example.com', 'Bad key']) {
        expect(text).not.toContain(secret);
      }
    }
    expect(error.serviceMessage).toContain('Bad key');
  });
});

test("a 404 response with a gateway's own page does not prove that an order of the earlier interface is missing", () => {
  const status = { operation: 'getOrderStatusV2', kind: 'read', method: 'GET', host: 'legacy' } as const;
  const page = { status: 404, retryAfter: null, text: '<html>Not Found</html>' };
  expect(toPrintError(status, page, now)).toMatchObject({ outcome: 'unavailable', retryable: true });
  expect(toPrintError({ ...status, host: 'legacyTest' }, page, now).outcome).toBe('unavailable');
  const fromService = { ...page, text: JSON.stringify({ message: 'Order not found' }) };
  expect(toPrintError(status, fromService, now).outcome).toBe('not_found');
  expect(toPrintError({ ...status, operation: 'getOrder', host: 'order' }, page, now).outcome).toBe('not_found');
});

describe('the problem of a failed call', () => {
  const quote = { operation: 'quote', kind: 'read', method: 'POST', host: 'order' } as const;
  const quoteV1 = { ...quote, operation: 'quoteV1' };
  const quoteV2 = { ...quote, operation: 'quoteV2' };
  const createV2 = { ...create, operation: 'createOrderV2' };
  const getOrder = { operation: 'getOrder', kind: 'read', method: 'GET', host: 'order' } as const;
  const statusV1 = { ...getOrder, operation: 'getOrderStatusV1' };
  const statusV2 = { ...getOrder, operation: 'getOrderStatusV2' };
  const search = { ...quote, operation: 'searchOrdersV3' };
  const storeProduct = { ...getOrder, operation: 'getStoreProduct' };
  const patch = { operation: 'patchOrder', kind: 'change', method: 'PATCH', host: 'order' } as const;
  const every = [create, createV2, quote, quoteV1, quoteV2, getOrder, statusV1, statusV2, search, storeProduct, patch];
  const errorOf = (call: (typeof every)[number], status: number, message: string) =>
    toPrintError(call, { status, retryAfter: null, text: JSON.stringify({ message }) }, now);

  // These rows follow docs/rules/print-interface.md#messages-of-v1-and-v2, with messages that a service may use.
  test.each([
    [[quoteV1, quoteV2], 400, 'Invalid request body.', 'invalid_request', null],
    [[quoteV1, quoteV2], 400, 'Product uid does not exist', 'unknown_product', 'productUid'],
    [[quoteV1, quoteV2], 400, 'UNKNOWN PRODUCT: mug', 'unknown_product', 'productUid'],
    [[quoteV1, quoteV2], 404, 'Currency TWD is not supported', 'unsupported_currency', 'currency'],
    [[quoteV1, quoteV2], 404, 'Unsupported currency', 'unsupported_currency', 'currency'],
    [[quoteV1, quoteV2], 404, 'Country not supported', 'unsupported_country', 'country'],
    [
      [quoteV1, quoteV2],
      404,
      'Delivery to the destination is not possible. Please check the recipient address.',
      'undeliverable',
      'addressLine1',
    ],
    [[quoteV1, quoteV2], 404, 'The parcel cannot be delivered there', 'undeliverable', 'addressLine1'],
    [[quoteV1, quoteV2], 404, 'Product mug is not supported for the destination', 'unsupported_product', 'productUid'],
    [[createV2], 400, 'Invalid request body.', 'invalid_request', null],
    [[statusV1, statusV2], 404, 'Order not found', 'order_not_found', null],
    // These rows are for the current interface, whose messages are not documented.
    [[create, quote], 422, 'Product x does not exist.', 'unknown_product', 'productUid'],
    [[create, quote], 400, 'currency: is not a supported currency', 'unsupported_currency', 'currency'],
    [[create, quote], 404, 'Country XX is not supported.', 'unsupported_country', 'country'],
    [[getOrder, patch], 404, '', 'order_not_found', null],
    [[create, quote, search, storeProduct], 404, 'No such thing.', 'not_found', null],
    [[search], 400, 'currency is not supported', 'invalid_request', null],
  ] as const)(
    'for %j, status %i and the message %j indicate the problem %s and the field %j',
    (calls, status, message, problem, field) => {
      for (const call of calls) expect(errorOf(call, status, message)).toMatchObject({ problem, field });
    },
  );

  const statuses = [
    [401, 'unauthorized'],
    [402, 'payment_required'],
    [429, 'too_many_requests'],
    [500, 'server_error'],
    [502, 'gateway_error'],
    [503, 'gateway_error'],
    [504, 'gateway_error'],
    [400, 'invalid_request'],
    [403, null],
    [409, null],
    [422, null],
    [418, null],
    [501, null],
  ] as const;
  test.each(statuses)('the status %i indicates the problem %s for every call and message', (status, problem) => {
    for (const call of every) {
      expect(errorOf(call, status, 'Something else.').problem).toBe(problem);
      expect(toPrintError(call, { status, retryAfter: null, text: '<html>' }, now).problem).toBe(problem);
    }
  });

  test('the field that the service names takes precedence, and the problem may be recognized from the details', () => {
    const details = [{ message: 'Product cup does not exist.', reference: 'products[1].productUid', code: 'x' }];
    const text = JSON.stringify({ code: 'invalid_request', message: 'Bad.', details });
    const error = toPrintError(quote, { status: 400, retryAfter: null, text }, now);
    expect(error).toMatchObject({
      problem: 'unknown_product',
      field: 'products[1].productUid',
      serviceMessage: 'Bad.',
    });
  });
});

describe('the Retry-After header', () => {
  test.each([
    ['0', 0],
    ['999999999', 86_400],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 86_400],
    ['-1', null],
    ['', null],
    ['1e9', null],
    [`Thu, 01 Jan 2026 00:01:30 GMT${' x'.repeat(100)}`, null],
  ])('the value %j is read as %j seconds', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });
});

describe('requests that the client does not send', () => {
  test('the client does not send an invalid request, and the error names the field but not its value', async () => {
    const service = await startService((_request, response) => json(response, 200, createdOrder));
    const print = connect(service.url);
    const address = { ...createRequest.shippingAddress, lastName: 'Quillfeather-of-the-Long-Meadows' };
    const error = await failureOf(print.createOrder({ ...createRequest, shippingAddress: address }));
    expect(error).toMatchObject({
      outcome: 'refused',
      status: null,
      effect: 'none',
      field: 'shippingAddress.lastName',
    });
    expect(error.message).toBe('createOrder: not sent (shippingAddress.lastName: must be at most 25 characters)');
    const items = [{ ...createRequest.items[0]!, quantity: 0 }];
    expect(await failureOf(print.createOrder({ ...createRequest, items }))).toMatchObject({
      field: 'items[0].quantity',
    });
    const products = [...quoteRequest.products, ...quoteRequest.products];
    expect(await failureOf(print.quote({ ...quoteRequest, products }))).toMatchObject({
      field: 'products[1].itemReferenceId',
    });
    expect(service.requests).toHaveLength(0);
  });

  test.each(['', 'two words', 'line\r\nx-other: 1', 'kéy'])('the client sends no invalid key: %j', async (key) => {
    const service = await startService((_request, response) => json(response, 200, createdOrder));
    const error = await failureOf(connect(service.url, {}, key).createOrder(createRequest));
    expect(error).toMatchObject({ outcome: 'account_refused', effect: 'none', status: null });
    if (key !== '') expect(error.message).not.toContain(key);
    expect(service.requests).toHaveLength(0);
  });

  test.each([
    ['http://print.example', false],
    ['http://127.0.0.1.evil.example', false],
    ['ftp://127.0.0.1', false],
    ['', false],
    ['https://print.example', true],
    ['http://127.0.0.1:4010', true],
    ['http://[::1]:4010', true],
  ])('the client checks the address %j and accepts it: %j', async (url, allowed) => {
    for (const host of ['order', 'ecommerce', 'product', 'legacy'] as const) {
      const urls: PrintClientOptions['urls'] = { ...allHosts('https://print.example'), [host]: url };
      const start = () => createPrintClient({ clock: systemClock, urls, timeoutMs: 1_000 });
      if (allowed) await start().close();
      else expect(start).toThrow(expect.objectContaining({ code: 'invalid_input', field: `urls.${host}` }));
    }
  });
});
