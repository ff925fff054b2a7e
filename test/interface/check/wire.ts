import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Agent } from 'undici';
import { createSend } from '../../../src/print/http/create-send.ts';
import { PrintServiceError } from '../../../src/print/errors.ts';
import { createCallLimits } from '../../../src/print/http/limit-calls.ts';
import { at, fullBody } from '../table/bodies.ts';
import type { ClientCall } from './check-client.ts';
import { systemClock } from '../../../src/clock.ts';

const KEY = 'secret-key-1234';

/** Sends the app's calls to a server that refuses all of them. Returns the calls that did not arrive as documented. */
export async function sendToServer(clients: readonly ClientCall[]): Promise<string[]> {
  const seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"no"}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const agent = new Agent();
  const to = (prefix: string) => ({ origin, prefix });
  // Each host has a separate prefix, so the path shows which host a call was sent to.
  const addresses = {
    order: to('/base'),
    ecommerce: to('/ecommerce'),
    product: to('/product'),
    legacy: to('/legacy'),
    legacyTest: to('/legacy'),
  };
  const send = createSend(
    { clock: systemClock, agent, addresses, limits: createCallLimits(systemClock), timeoutMs: 5000, onCall: undefined },
    KEY,
  );
  const wrong: string[] = [];
  for (const client of clients) {
    const { call, parameters, samples } = client;
    const body = call.request === null ? undefined : fullBody(call.request, samples);
    const outcome = await client.run(send, body).then(
      () => 'done',
      (error: unknown) => (error instanceof PrintServiceError ? error.status : error),
    );
    const request = seen.pop();
    const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
    const host = call.host === 'order' ? 'base' : call.host;
    const isRight =
      outcome === 400 &&
      request?.method === call.method &&
      request.url === `/${host}${path}` &&
      request.headers['x-api-key'] === KEY &&
      (body === undefined || (request.headers['content-type'] ?? '').startsWith('application/json')) &&
      hasSentAll(body, request.body);
    if (!isRight) wrong.push(`${call.name}: ${JSON.stringify({ outcome, ...request })}`);
  }
  server.close();
  server.closeAllConnections();
  await agent.close();
  return wrong;
}

/** Returns whether every field of the body was sent. The client itself sets the paging of a search. */
function hasSentAll(body: unknown, sent: string): boolean {
  if (body === undefined) return sent === '';
  const parsed: unknown = JSON.parse(sent);
  return Object.entries(body as object)
    .filter(([name]) => name !== 'limit' && name !== 'offset')
    .every(([name, value]) => JSON.stringify(at(parsed, name)) === JSON.stringify(value));
}
