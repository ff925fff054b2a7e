import { beforeEach, describe, expect, test } from 'vitest';
import { useTestClock } from '../helpers/eventually.ts';
import type { VirtualClock } from '../helpers/virtual-clock.ts';
import {
  collect,
  connect,
  createdOrder,
  failureOf,
  json,
  quoteRequest,
  startService,
  startTcpService,
  type AllCalls,
} from './servers.ts';

const calls: Record<string, (print: AllCalls) => Promise<unknown>> = {
  quote: (print) => print.quote(quoteRequest),
  searchOrders: (print) => collect(print.searchOrders({})),
  getOrder: (print) => print.getOrder('order-1'),
  deleteDraft: (print) => print.deleteDraft('order-1'),
  patchOrder: (print) => print.patchOrder('order-1', { orderType: 'order' }),
  cancelOrder: (print) => print.cancelOrder('order-1'),
};
const repeated = ['quote', 'searchOrders', 'getOrder', 'deleteDraft'];
const once = ['patchOrder', 'cancelOrder'];
const reads = ['quote', 'searchOrders', 'getOrder'];

function call(name: string, print: AllCalls): Promise<unknown> {
  return calls[name]!(print);
}

describe('the requests of the print client', () => {
  test.each(['', '.', '..', 'a/b', 'a?b', 'a#b', '%2e%2e', 'a:cancel', 'a b', '\ud800', 'ö', 'x'.repeat(201)])(
    'the invalid order ID %j counts as not found, and no request is sent',
    async (orderId) => {
      const service = await startService((_request, response) => json(response, 200, createdOrder));
      const print = connect(service.url);
      for (const attempt of [print.getOrder(orderId), print.deleteDraft(orderId), print.cancelOrder(orderId)]) {
        expect(await failureOf(attempt)).toMatchObject({ outcome: 'not_found', effect: 'none', status: null });
      }
      expect(await failureOf(print.patchOrder(orderId, { orderType: 'order' }))).toMatchObject({
        outcome: 'not_found',
      });
      expect(service.requests).toHaveLength(0);
    },
  );
});

describe('the outcome of an error status', () => {
  const table: Record<number, Record<string, string>> = {
    400: { get: 'refused', ask: 'refused', change: 'refused' },
    401: { get: 'account_refused', ask: 'account_refused', change: 'account_refused' },
    403: { get: 'account_refused', ask: 'account_refused', change: 'account_refused' },
    404: { get: 'not_found', ask: 'refused', change: 'not_found' },
    408: { get: 'unavailable', ask: 'unavailable', change: 'unclear' },
    409: { get: 'refused', ask: 'refused', change: 'refused' },
    422: { get: 'refused', ask: 'refused', change: 'refused' },
    429: { get: 'unavailable', ask: 'unavailable', change: 'nothing_made' },
    301: { get: 'unavailable', ask: 'unavailable', change: 'unclear' },
    500: { get: 'unavailable', ask: 'unavailable', change: 'unclear' },
    599: { get: 'unavailable', ask: 'unavailable', change: 'unclear' },
  };
  const columns: Record<string, string> = { quote: 'ask', searchOrders: 'ask', getOrder: 'get' };

  test.each(Object.keys(calls))(
    'a %s call has the listed outcome for each error status, and no retry',
    async (name) => {
      for (const [status, row] of Object.entries(table)) {
        const service = await startService((_request, response) => json(response, Number(status), { message: 'No.' }));
        const error = await failureOf(call(name, connect(service.url)));
        const outcome = row[columns[name] ?? 'change'];
        expect({ status, outcome: error.outcome }).toEqual({ status, outcome });
        expect(error.effect).toBe(outcome === 'unclear' ? 'unknown' : 'none');
        expect(error).toMatchObject({ operation: name, status: Number(status), serviceMessage: 'No.' });
        expect(service.requests).toHaveLength(1);
      }
    },
  );

  test.each(reads)('an unreadable 200 response to %s counts as unavailable', async (name) => {
    for (const body of ['', '[]', '{}', '{"quotes":[{}],"orders":[{}]}', '<html>']) {
      const service = await startService((_request, response) => response.writeHead(200).end(body));
      expect(await failureOf(call(name, connect(service.url)))).toMatchObject({ outcome: 'unavailable', status: 200 });
      expect(service.requests).toHaveLength(1);
    }
  });
});

describe('retries within a call', () => {
  let clock: VirtualClock;
  beforeEach(async () => void (clock = await useTestClock()));

  /** A response that is valid for every call. */
  const anyAnswer = { ...createdOrder, orders: [], quotes: [] };

  test('read and delete requests are retried after a 502, 503 or 504 response', async () => {
    await Promise.all(
      repeated.map(async (name) => {
        const statuses = [name === 'quote' ? 503 : 502, 504, 200];
        const service = await startService((_request, response, index) =>
          json(response, statuses[index] ?? 500, anyAnswer),
        );
        await clock.during(call(name, connect(service.url, { clock })));
        expect({ name, requests: service.requests.length }).toEqual({ name, requests: 3 });
        expect(new Set(service.requests.map(({ body }) => body)).size).toBe(1);
      }),
    );
  });

  test('read and delete requests are retried after a lost connection', async () => {
    await Promise.all(
      repeated.map(async (name) => {
        let connections = 0;
        const body = JSON.stringify(anyAnswer);
        const url = await startTcpService((socket) => {
          connections += 1;
          if (connections < 3) socket.once('data', () => socket.resetAndDestroy());
          else
            socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`));
        });
        await clock.during(call(name, connect(url, { clock })));
        expect({ name, connections }).toEqual({ name, connections: 3 });
      }),
    );
  });

  test.each(once)('a %s request is sent only once, regardless of the failure', async (name) => {
    const gateway = await startService((_request, response) => json(response, 503, {}));
    expect(await failureOf(call(name, connect(gateway.url, { clock })))).toMatchObject({
      outcome: 'unclear',
      effect: 'unknown',
    });
    expect(gateway.requests).toHaveLength(1);
    let connections = 0;
    const url = await startTcpService((socket) => {
      connections += 1;
      socket.once('data', () => socket.resetAndDestroy());
    });
    expect(await failureOf(call(name, connect(url, { clock })))).toMatchObject({
      outcome: 'unclear',
      effect: 'unknown',
    });
    expect(connections).toBe(1);
  });

  test('a service that sends Retry-After is not called again immediately', async () => {
    const service = await startService((_request, response) => json(response, 503, {}, { 'retry-after': '30' }));
    expect(await failureOf(call('getOrder', connect(service.url, { clock })))).toMatchObject({ retryAfterSeconds: 30 });
    expect(service.requests).toHaveLength(1);
  });

  test('the retries share the timeout of the call', async () => {
    const service = await startService((_request, response, index) => {
      if (index === 0) json(response, 503, {});
    });
    const print = connect(service.url, { clock, timeoutMs: 700 });
    const error = await clock.during(failureOf(call('getOrder', print)));
    expect(error.message).toBe('getOrder: no response (TIMEOUT)');
    expect(clock.ticks()).toBe(700);
    expect(service.requests).toHaveLength(2);
  });
});
