import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { App } from '../../src/app.ts';
import { createShopify } from '../../src/shopify/client.ts';
import type { TestShop } from './test-shop.ts';
import { systemClock } from '../../src/clock.ts';

interface Between {
  /** Runs before an operation is sent. Returns a response to use instead, or null to let the operation through. */
  before?: (operation: string) => Promise<object | null>;
  /** Runs after an operation has been carried out, before the app receives the response. */
  after?: (operation: string) => Promise<void>;
}

/** Returns the shop's app with a proxy in front of the store. The proxy runs these functions. */
export async function appBehindProxy({ app, storeUrl }: TestShop, { before, after }: Between): Promise<App> {
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const body = await readBody(request);
      const operation = /\b(?:query|mutation) (\w+)/.exec(body)?.[1] ?? '';
      const own = await before?.(operation);
      const answer = own ? { status: 200, text: JSON.stringify(own) } : await forward(storeUrl, request, body);
      await after?.(operation);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
    };
    pass().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const adminOrigin = `http://127.0.0.1:${port}/{shop}`;
  const shopify = createShopify({ clock: systemClock, ...app.config.shopify, adminOrigin, log: app.log });
  onTestFinished(async () => {
    await shopify.close();
    server.closeAllConnections();
    server.close();
  });
  return { ...app, shopify };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function forward(storeUrl: string, { url, method, headers }: IncomingMessage, body: string) {
  const kept = {
    'content-type': 'application/json',
    'x-shopify-access-token': String(headers['x-shopify-access-token']),
  };
  const answer = await fetch(`${storeUrl}${url}`, { method: method ?? 'POST', headers: kept, body });
  return { status: answer.status, text: await answer.text() };
}
