import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import type { Verdict } from './database-proxy.ts';

/**
 * A step of a request to a service. `connected`: the client has connected. `request`: the request has arrived. `done`: the service has
 * carried out the request, but the client has received nothing.
 */
export interface ServiceMoment {
  side: 'service';
  when: 'connected' | 'request' | 'done';
  /** Method and path; empty for a connection. */
  call: string;
  body: string;
}

/**
 * Starts a proxy between an app and a service. The proxy uses one connection for each request and calls `watch` at every step of a request.
 */
export async function startServiceProxy(
  target: string,
  watch: (moment: ServiceMoment) => Verdict,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    pass(target, watch, request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    if (watch({ side: 'service', when: 'connected', call: '', body: '' }) === 'cut') socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function pass(
  target: string,
  watch: (moment: ServiceMoment) => Verdict,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await buffer(request);
  const { method = 'GET', url = '/', headers } = request;
  const mayContinue = (when: ServiceMoment['when']): boolean => {
    const verdict = watch({ side: 'service', when, call: `${method} ${url}`, body: body.toString('utf8') });
    if (verdict === 'cut') response.destroy();
    return verdict === 'go';
  };
  if (!mayContinue('request')) return;
  const sent = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && !['host', 'connection', 'content-length', 'expect'].includes(entry[0]),
  );
  const answer = await fetch(`${target}${url}`, {
    method,
    headers: sent,
    redirect: 'manual',
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
  const answered = Buffer.from(await answer.arrayBuffer());
  if (!mayContinue('done')) return;
  const kept = [...answer.headers].filter(([name]) => !/^(connection|content-(length|encoding)|transfer-)/.test(name));
  response.writeHead(answer.status, {
    ...Object.fromEntries(kept),
    'content-length': answered.length,
    connection: 'close',
  });
  response.end(answered);
}
