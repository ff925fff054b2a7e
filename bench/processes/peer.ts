import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ApiVersion, shopifyApp } from '@shopify/shopify-app-express';
import express from 'express';
import Koa from 'koa';
import pg from 'pg';

// The servers that Platen's intake is compared with. `handleBare` only responds. `koa` stores each webhook with one statement. `express` uses
// Shopify's own package and the same statement.

export interface PeerArguments {
  kind: 'bare' | 'koa' | 'express';
  port: number;
  databaseUrl: string;
  apiKey: string;
  apiSecret: string;
}

const PATH = '/webhooks/shopify';
const INSERT = 'insert into bench_webhooks (webhook_id, shop, topic, order_id) values ($1, $2, $3, $4)';

const given = JSON.parse(process.argv[2] ?? '') as PeerArguments;
const pool = new pg.Pool({ connectionString: given.databaseUrl });

async function insertWebhook(webhookId: string, shop: string, topic: string, body: string): Promise<void> {
  const { id } = JSON.parse(body) as { id: number };
  await pool.query(INSERT, [webhookId, shop, topic, id]);
}

/** Reads each request and responds to it. */
const handleBare: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('{}'));
};

function createKoa(): RequestListener {
  const app = new Koa();
  app.use(async (ctx) => {
    const body = await buffer(ctx.req);
    const signature = createHmac('sha256', given.apiSecret).update(body).digest();
    const named = Buffer.from(ctx.get('x-shopify-hmac-sha256'), 'base64');
    if (named.length !== signature.length || !timingSafeEqual(named, signature)) return ctx.throw(401);
    await insertWebhook(
      ctx.get('x-shopify-webhook-id'),
      ctx.get('x-shopify-shop-domain'),
      ctx.get('x-shopify-topic'),
      body.toString(),
    );
    ctx.body = {};
  });
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

function createExpress(): RequestListener {
  const shopify = shopifyApp({
    api: {
      apiKey: given.apiKey,
      apiSecretKey: given.apiSecret,
      apiVersion: ApiVersion.July26,
      hostScheme: 'http',
      hostName: `127.0.0.1:${given.port}`,
      scopes: [],
      isEmbeddedApp: true,
      // A silent logger, so that the measurement does not include writing a log line for each webhook.
      logger: { log: async () => undefined },
    },
    auth: { path: '/auth', callbackPath: '/auth/callback' },
    webhooks: { path: PATH },
  });
  const webhookHandlers = {
    ORDERS_UPDATED: {
      deliveryMethod: 'http' as never,
      callbackUrl: PATH,
      callback: (topic: string, shop: string, body: string, webhookId: string) =>
        insertWebhook(webhookId, shop, topic, body),
    },
  };
  return express().post(PATH, ...shopify.processWebhooks({ webhookHandlers }));
}

const listener = { bare: () => handleBare, koa: createKoa, express: createExpress }[given.kind]();
const server = createServer(listener).listen(given.port, '127.0.0.1');
await once(server, 'listening');
process.send?.('ready');
