import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  createPrintClient,
  type ExtendedCalls,
  type PrintClient,
  type PrintClientOptions,
  type PrintService,
} from '../../src/print/client.ts';
import { PrintServiceError } from '../../src/print/errors.ts';
import type { CreateOrderRequest } from '../../src/print/current/orders-v3.ts';
import type { QuoteRequest } from '../../src/print/current/orders-v4.ts';
import { systemClock } from '../../src/clock.ts';

export const KEY = 'secret-key-1234';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The client's port, which is the same for requests over one connection. */
  port: number;
}

export interface TestService {
  url: string;
  requests: ReceivedRequest[];
  server: HttpServer;
}

/** Starts a service with responses from the test. The service reads each request's body first. */
export async function startService(
  answer: (request: ReceivedRequest, response: ServerResponse, index: number) => void,
): Promise<TestService> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    void readBody(incoming).then((body) => {
      const { method = '', url = '', headers, socket } = incoming;
      const request = { method, url, headers, body, port: socket.remotePort ?? 0 };
      requests.push(request);
      answer(request, response, requests.length - 1);
    });
  });
  return { url: await listen(server), requests, server };
}

/** Starts a service whose raw connections the test handles. */
export async function startTcpService(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return listen(server);
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Uses one address for all hosts. The test host has the path `/test`. */
export function allHosts(url: string): PrintClientOptions['urls'] {
  return { order: url, ecommerce: url, product: url, legacy: url, legacyTest: `${url}/test` };
}

/** Every call of an account, including the extended calls. */
export type AllCalls = PrintService & ExtendedCalls;

/** Connects one account to the service at `url`. */
export function connect(url: string, options: Partial<PrintClientOptions> = {}, key: string = KEY): AllCalls {
  const client = createPrintClient({ clock: systemClock, urls: allHosts(url), timeoutMs: 5_000, ...options });
  onTestFinished(() => client.close());
  return withAllCalls(client, key);
}

/** Returns the account of a key with all calls. */
export function withAllCalls(client: PrintClient, key: string): AllCalls {
  const service = client.withKey(key, { extendedCalls: true });
  if (service.extended === 'unsupported') throw new Error('the extended calls are missing');
  return { ...service, ...service.extended };
}

/** A create request that the interface allows. */
export const createRequest: CreateOrderRequest = {
  orderType: 'draft',
  orderReferenceId: 'pl0001-1001-1-ABCDEFGHJKMN',
  customerReferenceId: 'demo-guest',
  currency: 'USD',
  items: [{ itemReferenceId: 'line-1', productUid: 'mug', fileUrl: 'https://files.example/mug.pdf', quantity: 1 }],
  shippingAddress: {
    firstName: 'Marigold',
    lastName: 'Quillfeather',
    addressLine1: '451 Clarkson Ave',
    city: 'New York',
    postCode: '11203',
    state: 'NY',
    country: 'US',
    email: 'marigold@example.com',
  },
};

/** The response to `createRequest`. */
export const createdOrder = { id: 'order-1', orderType: 'draft', orderReferenceId: createRequest.orderReferenceId };

/** Sends a response with a JSON body. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A quote request for one mug that the interface allows. */
export const quoteRequest: QuoteRequest = {
  orderReferenceId: createRequest.orderReferenceId,
  customerReferenceId: 'demo-guest',
  currency: 'USD',
  recipient: createRequest.shippingAddress,
  products: [{ itemReferenceId: 'line-1', productUid: 'mug', quantity: 1 }],
};

/** Returns the PrintServiceError that a call fails with. Any other outcome fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<PrintServiceError> {
  const settled = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in settled && settled.error instanceof PrintServiceError) return settled.error;
  throw new Error('the call should have failed with a PrintServiceError', { cause: settled });
}

/** Collects all results of a search. */
export async function collect<Found>(search: AsyncIterable<Found>): Promise<Found[]> {
  const found: Found[] = [];
  for await (const record of search) found.push(record);
  return found;
}
