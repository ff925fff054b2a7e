import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';

// Forwards every call after a delay, like a slow service.

export interface DelayArguments {
  port: number;
  /** The address that calls are forwarded to. */
  to: string;
  delayMs: number;
}

const given = JSON.parse(process.argv[2] ?? '') as DelayArguments;
const server = createServer((incoming, outgoing) => {
  const passOn = async (): Promise<void> => {
    const body = await buffer(incoming);
    await delay(given.delayMs);
    const answer = await request(given.to + incoming.url, {
      method: incoming.method as Dispatcher.HttpMethod,
      headers: { 'content-type': 'application/json', 'x-api-key': String(incoming.headers['x-api-key']) },
      body: body.length > 0 ? body : null,
    });
    outgoing.writeHead(answer.statusCode, { 'content-type': 'application/json' });
    outgoing.end(await buffer(answer.body));
  };
  passOn().catch(() => outgoing.destroy());
}).listen(given.port, '127.0.0.1');
await once(server, 'listening');
process.send?.('ready');
