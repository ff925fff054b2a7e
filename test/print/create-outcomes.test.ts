import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPrintClient } from '../../src/print/client.ts';
import {
  allHosts,
  connect,
  createdOrder,
  createRequest,
  failureOf,
  json,
  startService,
  startTcpService,
  withAllCalls,
} from './servers.ts';
import { systemClock } from '../../src/clock.ts';
import { useTestClock } from '../helpers/eventually.ts';

const refusal = {
  code: 'invalid_request',
  message: 'No.',
  details: [{ message: 'No.', reference: 'items[0].productUid' }],
};

/** Returns the outcome of a status according to docs/rules/created-once.md. The outcome of an unlisted status is unclear. */
function outcomeOfStatus(status: number, orderType: string): string {
  if (status === 401 || status === 403) return 'account_refused';
  if (status === 429 || (status === 402 && orderType === 'draft')) return 'nothing_made';
  return [400, 404, 422].includes(status) ? 'refused' : 'unclear';
}

describe('the outcome of a create request', () => {
  test.each(['draft', 'order'] as const)(
    'every status from 200 to 599 without an order (%s) has exactly one outcome, and no request is retried',
    async (orderType) => {
      const service = await startService(({ headers }, response) => {
        const status = Number(headers['x-api-key']?.slice('key-'.length));
        json(response, status, refusal, { location: '/elsewhere' });
      });
      const client = createPrintClient({ clock: systemClock, urls: allHosts(service.url), timeoutMs: 20_000 });
      onTestFinished(() => client.close());
      for (let status = 200; status <= 599; status += 1) {
        const print = withAllCalls(client, `key-${status}`);
        const error = await failureOf(print.createOrder({ ...createRequest, orderType }));
        const outcome = outcomeOfStatus(status, orderType);
        expect({ status, outcome: error.outcome }).toEqual({ status, outcome });
        expect(error.status).toBe(status);
        expect(error.effect).toBe(outcome === 'unclear' ? 'unknown' : 'none');
        expect(error.retryable).toBe(outcome === 'unclear' || outcome === 'nothing_made');
      }
      expect(service.requests).toHaveLength(400);
      expect(new Set(service.requests.map(({ url }) => url))).toEqual(new Set(['/v3/orders']));
    },
  );

  test('a create request with only an interim response has an unclear outcome', async () => {
    const clock = await useTestClock();
    for (const status of [100, 102, 103, 199]) {
      const url = await startTcpService((socket) =>
        socket.once('data', () => socket.write(`HTTP/1.1 ${status} Interim\r\n\r\n`)),
      );
      const error = await clock.during(failureOf(connect(url, { clock }).createOrder(createRequest)));
      expect({ status, outcome: error.outcome, answered: error.status }).toEqual({
        status,
        outcome: 'unclear',
        answered: null,
      });
    }
  });

  test('a 2xx response with an ID and the same reference is returned as the created order', async () => {
    const service = await startService((_request, response, index) => json(response, 200 + index, createdOrder));
    const print = connect(service.url);
    for (const status of [200, 201, 202, 203]) {
      expect({ status, id: (await print.createOrder(createRequest)).id }).toEqual({ status, id: 'order-1' });
    }
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual(createRequest);
    expect(service.requests[0]?.headers).toMatchObject({
      'x-api-key': 'secret-key-1234',
      'content-type': 'application/json',
    });
  });

  test('a created order is recognized despite unexpected details in a valid response', async () => {
    const odd = {
      ...createdOrder,
      items: 'none',
      shipment: 7,
      createdAt: {},
      receipts: [null],
      connectedOrderIds: null,
      more: { x: 1 },
    };
    const service = await startService((_request, response) => json(response, 200, odd));
    const order = await connect(service.url).createOrder(createRequest);
    expect(order).toMatchObject({
      id: 'order-1',
      items: [],
      shipment: null,
      receipts: [],
      connectedOrderIds: [],
      more: { x: 1 },
    });
  });

  test.each([
    ['no body', ''],
    ['a body that is not JSON', '<html>Gateway</html>'],
    ['an array', '[]'],
    ['null', 'null'],
    ['no ID', JSON.stringify({ ...createdOrder, id: undefined })],
    ['an empty ID', JSON.stringify({ ...createdOrder, id: '' })],
    ['no reference', JSON.stringify({ ...createdOrder, orderReferenceId: undefined })],
    ['another reference', JSON.stringify({ ...createdOrder, orderReferenceId: 'pl0001-1002-1-ABCDEFGHJKMN' })],
    [
      'the reference in a different letter case',
      JSON.stringify({ ...createdOrder, orderReferenceId: createRequest.orderReferenceId.toLowerCase() }),
    ],
    ['truncated JSON', JSON.stringify(createdOrder).slice(0, 20)],
  ])('a 200 response with %s leaves the outcome unclear', async (_title, body) => {
    const service = await startService((_request, response) => response.writeHead(200).end(body));
    const error = await failureOf(connect(service.url).createOrder(createRequest));
    expect(error).toMatchObject({ outcome: 'unclear', effect: 'unknown', status: 200 });
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    [400, 'refused'],
    [402, 'nothing_made'],
    [404, 'refused'],
    [422, 'refused'],
  ])(
    'the outcome of a %i response to the request for a draft is `%s` if its body is a JSON object, and `unclear` otherwise',
    async (status, clear) => {
      for (const [body, outcome] of [
        ['<html>Not here</html>', 'unclear'],
        ['', 'unclear'],
        ['"no"', 'unclear'],
        ['{"message":"no"}', clear],
      ] as const) {
        const service = await startService((_request, response) => response.writeHead(status).end(body));
        expect({ body, outcome: (await failureOf(connect(service.url).createOrder(createRequest))).outcome }).toEqual({
          body,
          outcome,
        });
      }
    },
  );

  test('a create request does not follow a redirect, and its outcome is unclear', async () => {
    const target = await startService((_request, response) => json(response, 200, createdOrder));
    for (const status of [301, 302, 303, 307, 308]) {
      const service = await startService((_request, response) =>
        response.writeHead(status, { location: `${target.url}/v3/orders` }).end(),
      );
      expect((await failureOf(connect(service.url).createOrder(createRequest))).outcome).toBe('unclear');
    }
    expect(target.requests).toHaveLength(0);
  });
});

describe('the outcome of a create request over an unreliable connection', () => {
  test('nothing is created if the connection is refused', async () => {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await failureOf(connect(`http://127.0.0.1:${port}`).createOrder(createRequest));
    expect(error).toMatchObject({ outcome: 'nothing_made', effect: 'none', retryable: true, status: null });
    expect(error.message).toBe('createOrder: not sent (ECONNREFUSED)');
  });

  test('nothing is created if the TLS handshake fails', async () => {
    const url = await startTcpService((socket) => socket.once('data', () => socket.end('this is not TLS')));
    const error = await failureOf(connect(url.replace('http:', 'https:')).createOrder(createRequest));
    expect(error).toMatchObject({ outcome: 'nothing_made', effect: 'none' });
  });

  test('nothing is created if the TLS handshake never ends', async () => {
    const clock = await useTestClock();
    const url = await startTcpService(() => undefined);
    const print = connect(url.replace('http:', 'https:'), { clock });
    const error = await clock.during(failureOf(print.createOrder(createRequest)));
    expect(error).toMatchObject({
      outcome: 'nothing_made',
      effect: 'none',
      message: 'createOrder: not sent (TIMEOUT)',
    });
  });

  test.each([
    ['immediately after it is established', (onSocket: () => void) => onSocket()],
    ['after the request', undefined],
  ])('a create request whose connection is closed %s is not retried', async (_title, atOnce) => {
    let connections = 0;
    const url = await startTcpService((socket) => {
      connections += 1;
      if (atOnce) socket.resetAndDestroy();
      else socket.once('data', () => socket.resetAndDestroy());
    });
    const error = await failureOf(connect(url).createOrder(createRequest));
    expect(connections).toBe(1);
    // The request may have been written before the reset was detected, so the outcome is unknown.
    expect(atOnce ? ['unclear', 'nothing_made'] : ['unclear']).toContain(error.outcome);
  });

  test.each([
    ['after a part of the headers', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['after the headers', 'HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n'],
    ['within the body', `HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${JSON.stringify(createdOrder)}`],
    ['within a chunked body', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"id":"order-1"`],
    ['after bytes that are not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('a response that ends %s leaves the outcome unclear', async (_title, bytes) => {
    const url = await startTcpService((socket) => socket.once('data', () => socket.end(bytes)));
    expect(await failureOf(connect(url).createOrder(createRequest))).toMatchObject({
      outcome: 'unclear',
      effect: 'unknown',
    });
  });

  test.each([
    ['before it responds', ''],
    ['within the headers', 'HTTP/1.1 200 OK\r\n'],
    ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{'],
  ])('if the service hangs %s, the create request times out and its outcome is unclear', async (_title, bytes) => {
    const url = await startTcpService((socket) => socket.once('data', () => socket.write(bytes)));
    const clock = await useTestClock();
    const print = connect(url, { clock, timeoutMs: 300 });
    expect(await clock.during(failureOf(print.createOrder(createRequest)))).toMatchObject({
      outcome: 'unclear',
      effect: 'unknown',
      message: 'createOrder: no response (TIMEOUT)',
    });
    expect(clock.ticks()).toBe(300);
  });

  test('a response that arrives byte by byte does not extend the timeout', async () => {
    const clock = await useTestClock();
    const url = await startTcpService((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500000\r\n\r\n');
        socket.on(
          'close',
          clock.every(20, () => socket.write(' ')),
        );
      }),
    );
    const print = connect(url, { clock, timeoutMs: 300 });
    expect(await clock.during(failureOf(print.createOrder(createRequest)))).toMatchObject({ outcome: 'unclear' });
    expect(clock.ticks()).toBe(300);
  });

  test('a response over 8 MB is not read', async () => {
    const service = await startService((_request, response) =>
      json(response, 200, { ...createdOrder, padding: 'x'.repeat(8 * 1024 * 1024) }),
    );
    const error = await failureOf(connect(service.url).createOrder(createRequest));
    expect(error).toMatchObject({
      outcome: 'unclear',
      message: 'createOrder: no response (UND_ERR_RES_EXCEEDED_MAX_SIZE)',
    });
  });

  test('a create request that is made after the client is closed creates nothing', async () => {
    const service = await startService((_request, response) => json(response, 200, createdOrder));
    const client = createPrintClient({ clock: systemClock, urls: allHosts(service.url), timeoutMs: 1_000 });
    await client.close();
    expect(await failureOf(client.withKey('key', { extendedCalls: true }).createOrder(createRequest))).toMatchObject({
      outcome: 'nothing_made',
    });
    expect(service.requests).toHaveLength(0);
  });
});
