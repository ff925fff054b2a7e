import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { StorefrontOrders } from '../../src/database/entities/orders.ts';
import { PrintOrders } from '../../src/database/entities/print-orders.ts';
import { PrintLinks, VariantConnections } from '../../src/database/entities/products.ts';
import { PrintAccounts, Shops, type Shop } from '../../src/database/entities/shops.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createLog } from '../../src/log.ts';
import { enqueuePlan } from '../../src/orders/enqueue/enqueue-plan.ts';
import { ensureInstallation } from '../../src/shops/install/installation.ts';
import { findOrCreatePrintAccount } from '../../src/shops/print-account/print-account.ts';
import { saveToken } from '../../src/shops/tokens/tokens.ts';
import { createClockedDatabase } from '../helpers/clocked-database.ts';
import { openSnapshots } from '../helpers/open-snapshots.ts';
import { Clock, resetClock } from './clock.ts';
import { LOCATION, VARIANT } from './store.ts';
import { systemClock } from '../../src/clock.ts';

/** The reference and ID of a known order at the service. Searches in direct mode use this order as the control. */
export const CONTROL = 'control-1';

/** How print orders reach the service: as drafts or directly, and with or without the extended calls. */
export type Way = 'draft' | 'direct' | 'direct without extended calls';

/**
 * One shop with one order, in a database that uses the clock's time. Many runs share the database. `begin` restores the same rows for each
 * run.
 */
export interface World {
  clock: Clock;
  db: DataSource;
  /** The app without a print service and a store. Each run has its own reference service and store. */
  app: Omit<App, 'print' | 'shopify'>;
  shop: Shop;
  storefrontOrderId: string;
  /** Restores the initial rows for a shop that submits orders in this way. */
  begin: (way: Way) => Promise<void>;
  /** Saves all rows, including the waiting jobs. `restoreRows` restores them. */
  save: () => Promise<void>;
  restoreRows: () => Promise<void>;
  close: () => Promise<void>;
}

const ENVIRONMENT = {
  PORT: '0',
  SHOPIFY_APP_URL: 'http://127.0.0.1:3000',
  LOG_LEVEL: 'silent',
  PRINT_TIMEOUT_SECONDS: '2',
  SUBMIT_DEADLINE_SECONDS: '1',
  SUBMIT_QUIET_SECONDS: '120',
};

/** Opens a world. `Math.random` and `performance.now` are mocked until it is closed. */
export async function openWorld(): Promise<World> {
  const home = mkdtempSync(join(tmpdir(), 'platen-model-'));
  const clock = new Clock();
  const database = await createClockedDatabase();
  const { db } = database;
  const ticks = vi.spyOn(performance, 'now').mockImplementation(clock.ticks);
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const config = readConfig({ ...ENVIRONMENT, PLATEN_HOME: home });
  const app = {
    config,
    db,
    intake: db,
    jobs: { enqueue },
    log: createLog('silent', 2),
    clock: { ...systemClock, now: clock.now },
  };
  const { shop, storefrontOrderId } = await addRows(app as App);
  const { keep, putBack } = await openSnapshots(db);
  await keep('first');
  return {
    clock,
    db,
    app,
    shop,
    storefrontOrderId,
    async begin(way) {
      await resetClock(clock, db);
      await putBack('first');
      const settings = {
        submit: way === 'draft' ? 'draft' : 'direct',
        extendedCalls: way !== 'direct without extended calls',
      };
      await db.query('update shops set settings = settings || $1', [JSON.stringify(settings)]);
    },
    save: () => keep('saved'),
    restoreRows: () => putBack('saved'),
    async close() {
      ticks.mockRestore();
      chance.mockRestore();
      await database.drop();
      rmSync(home, { recursive: true });
    },
  };
}

async function addRows(app: App): Promise<{ shop: Shop; storefrontOrderId: string }> {
  const { manager } = app.db;
  await ensureInstallation(app);
  await app.db.query(`update installation set code = 'test'`);
  const account = await findOrCreatePrintAccount(app, 'key');
  // Marks the account as having Order Get, because the check for accounts that lack Order Get waits in real time.
  await manager.update(PrintAccounts, { id: account.id }, { orderGetSeenAt: app.clock.now() });
  const longAgo = new Date('2026-01-01T00:00:00Z');
  const { id: shopId } = await manager.save(Shops, {
    domain: 'model.myshopify.com',
    currency: 'USD',
    contactEmail: 'shop@example.com',
    takesOrdersFrom: longAgo,
    installedAt: longAgo,
    locationId: LOCATION,
    settings: { delayMinutes: 0, gatherSeconds: 0 },
    printAccountId: account.id,
    otherAppCheckedAt: app.clock.now(),
    timeZone: 'UTC',
  });
  await saveToken(app, manager, shopId, {
    accessToken: 'token',
    expiresAt: null,
    refreshToken: null,
    refreshTokenExpiresAt: null,
    scopes: '',
  });
  const fileUrl = 'https://files.example/poster.pdf';
  await manager.insert(PrintLinks, { shopId, shopifyVariantId: VARIANT, sku: 'POSTER', productUid: 'poster', fileUrl });
  await manager.insert(VariantConnections, { shopId, shopifyVariantId: VARIANT, status: 'connected' });
  const placedAt = new Date('2026-11-02T08:00:00Z');
  const order = await manager.save(StorefrontOrders, {
    shopId,
    shopifyOrderId: 'gid://shopify/Order/1',
    name: '#1001',
    placedAt,
  });
  const other = await manager.save(StorefrontOrders, {
    shopId,
    shopifyOrderId: 'gid://shopify/Order/2',
    name: '#1000',
    placedAt,
  });
  for (const printInterface of ['current'] as const)
    await manager.insert(PrintOrders, {
      shopId,
      storefrontOrderId: other.id,
      printAccountId: account.id,
      shopifyFulfillmentOrderId: 'gid://shopify/FulfillmentOrder/2',
      part: 1,
      reference: CONTROL,
      state: 'fulfilled',
      submitWay: 'direct',
      printInterface,
      planSha256: '',
      serviceOrderId: CONTROL,
      confirmStartedAt: longAgo,
      confirmedAt: longAgo,
    });
  await enqueuePlan(manager, order.id);
  return { shop: await manager.findOneByOrFail(Shops, { id: shopId }), storefrontOrderId: order.id };
}
