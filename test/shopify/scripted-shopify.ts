import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createShopify, type Shopify, type ShopifyOptions } from '../../src/shopify/client.ts';
import { systemClock } from '../../src/clock.ts';
import { currentClock } from '../helpers/eventually.ts';

/** One complete request as received by the server. */
export interface ReceivedCall {
  path: string;
  headers: IncomingMessage['headers'];
  operation: string;
  variables: Record<string, unknown>;
  body: string;
  at: number;
}

/** The server's reaction to one request: a response, a closed connection or no response. */
export type Step = Reply | 'reset' | 'hang' | ((call: ReceivedCall) => Promise<Reply>);

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface ScriptedShopify {
  /** The value for `adminOrigin`. */
  origin: string;
  calls: ReceivedCall[];
  /** The client's port for each call. */
  sockets: (number | undefined)[];
  close(): Promise<void>;
}

/** Starts a server that performs one step per request, and repeats the last step for all later requests. */
export async function startScriptedShopify(steps: readonly Step[], listenOn = 0): Promise<ScriptedShopify> {
  const calls: ReceivedCall[] = [];
  const sockets: (number | undefined)[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const call = toCall(request, body);
      calls.push(call);
      sockets.push(request.socket.remotePort);
      const step = steps[Math.min(calls.length, steps.length) - 1];
      if (step === undefined || step === 'reset') request.socket.resetAndDestroy();
      else if (step !== 'hang') answer(response, typeof step === 'function' ? await step(call) : step);
    });
  });
  await new Promise<void>((resolve) => void server.listen(listenOn, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}/{shop}`,
    calls,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Creates a client of the sandbox's app that calls `adminOrigin`, and collects the client's log lines. */
export function createTestShopify(adminOrigin: string, options: Partial<ShopifyOptions> = {}) {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const shopify: Shopify = createShopify({
    clock: currentClock() ?? systemClock,
    apiKey: 'sandbox-app',
    apiSecret: 'sandbox-secret',
    appUrl: 'http://127.0.0.1:3000',
    adminOrigin,
    log,
    ...options,
  });
  return { shopify, lines };
}

/** Starts a scripted server and a client that calls it for one test. `admin` calls the API of the demo shop. */
export async function openScriptedShopify(steps: readonly Step[], options: Partial<ShopifyOptions> = {}) {
  const server = await startScriptedShopify(steps);
  const made = createTestShopify(server.origin, options);
  onTestFinished(async () => void (await Promise.all([made.shopify.close(), server.close()])));
  return { ...made, server, admin: made.shopify.admin({ shop: 'demo.myshopify.com', accessToken: 'shpat_1' }) };
}

/** Returns data in the form of Shopify's responses, with a full bucket. */
export function data(value: unknown, cost: Partial<CostValues> = {}) {
  return { body: { data: value, extensions: costOf(cost) } };
}

/** Returns the refusal for an empty bucket: a 200 response with the code THROTTLED. */
export function throttled(cost: Partial<CostValues> = {}) {
  const errors = [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }];
  return { body: { errors, extensions: costOf({ available: 0, ...cost }) } };
}

interface CostValues {
  requested: number;
  maximum: number;
  available: number;
  restoreRate: number;
}

function costOf({ requested = 10, maximum = 2000, available = 2000, restoreRate = 100 }: Partial<CostValues>) {
  const throttleStatus = { maximumAvailable: maximum, currentlyAvailable: available, restoreRate };
  return { cost: { requestedQueryCost: requested, actualQueryCost: requested, throttleStatus } };
}

function toCall(request: IncomingMessage, body: string): ReceivedCall {
  const { query = '', variables = {} } = JSON.parse(body) as { query?: string; variables?: Record<string, unknown> };
  const operation = /^(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '';
  return {
    path: request.url ?? '',
    headers: request.headers,
    operation,
    variables,
    body,
    at: (currentClock() ?? systemClock).ticks(),
  };
}

function answer(response: ServerResponse, step: Reply) {
  const { status = 200, headers = {}, body = '' } = step;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
