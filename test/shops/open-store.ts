import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStore } from '../../src/sandbox/store/start.ts';
import { createTestDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { createTestApp } from '../http/test-app.ts';
import type { TestApp } from '../http/test-app.ts';
import { claims, signToken } from '../shopify/session-token.ts';

const APP = { apiKey: 'sandbox-app', apiSecret: 'sandbox-secret' };
export const DEMO = 'demo.myshopify.com';

export interface TestStore {
  database: TestDatabase;
  app: TestApp['app'];
  /** A control door of the store. */
  control(path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** An app on a database of its own, and a store that it can be installed in. Nobody listens for the store's webhooks. */
export async function openStore(): Promise<TestStore> {
  const home = mkdtempSync(join(tmpdir(), 'platen-store-'));
  const appUrl = 'http://127.0.0.1:9';
  const store = await startStore({ home, port: 0, appUrl, ...APP, webhookRetryMs: [] });
  const database = await createTestDatabase();
  const testApp = createTestApp(database.db, { SHOPIFY_ADMIN_ORIGIN: `${store.url}/{shop}` });
  return {
    database,
    app: testApp.app,
    async control(path, body) {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${store.url}/_control${path}`, { headers, ...init });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    async close() {
      await testApp.close();
      await database.drop();
      await store.close();
      rmSync(home, { recursive: true });
    },
  };
}

/** A session token of a shop, as its admin gives one to the app. */
export function sessionTokenOf(shop: string): string {
  return signToken(claims({ dest: `https://${shop}`, iss: `https://${shop}/admin` }));
}
