import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { traceRequests } from '../../src/http/trace-requests.ts';
import { createTrace, setTracedOrder, type Span } from '../../src/tracing/work.ts';

const spans: Span[] = [];
const server = createServer();
let url: string;
beforeAll(async () => {
  const router = new Router();
  router.post('/orders/:token', (ctx) => {
    setTracedOrder({ shop: 'demo.myshopify.com', orderId: '17' });
    ctx.status = Number(ctx.query['status']);
  });
  router.get('/list', (ctx) => void (ctx.body = {}));
  const koa = new Koa();
  koa.use(traceRequests(createTrace(({ span }) => void spans.push(span))));
  koa.use(router.routes());
  const handle = koa.callback();
  server.on('request', (request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test('a request about an order creates a span with the route template, which counts as failed only if the status is 500 or higher', async () => {
  for (const status of [200, 404, 503]) await fetch(`${url}/orders/secret-token?status=${status}`, { method: 'POST' });
  await fetch(`${url}/list`);
  await fetch(`${url}/unknown/secret-token`);
  expect(spans.map(({ name, attributes, error }) => [name, attributes['http.response.status_code'], error])).toEqual([
    ['POST /orders/:token', 200, null],
    ['POST /orders/:token', 404, null],
    ['POST /orders/:token', 503, '503'],
  ]);
  expect(JSON.stringify(spans)).not.toContain('secret-token');
});
