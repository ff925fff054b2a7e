import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../src/http/server.ts';
import { startStore } from '../../sandbox/store/start.ts';
import { openTestApp, type OpenTestApp } from '../http/test-app.ts';
import { claims, signToken } from '../shopify/session-token.ts';

const APP = { apiKey: 'sandbox-app', apiSecret: 'sandbox-secret' };
export const DEMO = 'demo.myshopify.com';

export interface TestStore {
  app: OpenTestApp;
  /** Calls a control endpoint of the store. */
  control(path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Opens an app with a separate database, and a store in which the app can be installed. The store's webhooks are sent to an address at
 * which nothing listens.
 */
export async function openStore(): Promise<TestStore> {
  const home = mkdtempSync(join(tmpdir(), 'platen-store-'));
  const appUrl = 'http://127.0.0.1:9';
  const store = await startStore({ home, port: 0, appUrl, ...APP, webhookRetryMs: [] });
  const app = await openTestApp({ SHOPIFY_ADMIN_ORIGIN: `${store.url}/{shop}` });
  return {
    app,
    async control(path, body) {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${store.url}/_control${path}`, { headers, ...init });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    async close() {
      await app.close();
      await store.close();
      rmSync(home, { recursive: true });
    },
  };
}

export interface StoreWithEndpoints extends TestStore {
  /** The base URL of the app's endpoints. */
  appUrl: string;
}

/** Opens a store as `openStore` does, with the app's endpoints on a free port. */
export async function openStoreWithEndpoints(): Promise<StoreWithEndpoints> {
  const store = await openStore();
  const endpoints = await listen(store.app);
  return {
    ...store,
    appUrl: endpoints.url,
    async close() {
      await endpoints.close();
      await store.close();
    },
  };
}

/** Returns a session token of a shop, as the shop's admin issues it to the app. */
export function sessionTokenOf(shop: string): string {
  // The token is issued now, because a token from before an uninstall is refused.
  const iat = Math.floor(Date.now() / 1000);
  return signToken(claims({ dest: `https://${shop}`, iss: `https://${shop}/admin`, iat }));
}
