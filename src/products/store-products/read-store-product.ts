import type { App } from '../../app.ts';
import { levelOf } from '../../log.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { StoreProducts } from '../../database/entities/store-products.ts';
import type { TaskPayloads } from '../../jobs/tasks.ts';
import type { PrintService } from '../../print/client.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { openPrintAccount } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { receiveStoreProduct } from './receive-store-product.ts';
import { removeStoreProduct } from './remove-store-product.ts';
import { enqueueReadStoreProduct } from './enqueue-readings.ts';

/** A store product at the service, and the shop for which it is read. */
export interface StoreProductKey {
  shopId: number;
  storeId: string;
  storeProductId: string;
}

/** How long to wait before an unknown product is read again. A product that was just created may not be visible yet. */
const SHOWN_AFTER_SECONDS = 10;
const MIN_WAIT_SECONDS = 30;
const MAX_WAIT_SECONDS = 3600;
/** After this many retries, about 18 hours have passed. From then on, only the hourly poll reads the product. */
const MAX_TRIES = 24;

/** A shop, and the service opened with its key. */
export interface StoreProductScope {
  app: App;
  shop: Shop;
  printAccountId: number;
  service: PrintService;
}

/** Opens the service for a shop's store products. Returns null if the shop is not installed or has no print account. */
export async function openStoreProducts(app: App, shopId: number): Promise<StoreProductScope | null> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop || shop.printAccountId === null) return null;
  const { extendedCalls } = readSettings(shop);
  const { account, service } = await openPrintAccount(app, shop.printAccountId, { extendedCalls, shopId });
  return { app, shop, printAccountId: account.id, service };
}

/**
 * Reads a store product from the service after an event that named it, because events are not signed. While the service is unavailable, the
 * job is retried later. Throws the same errors as `receiveStoreProduct`.
 */
export async function readStoreProduct(app: App, payload: TaskPayloads['read_store_product']): Promise<void> {
  const { tries = 0, ...key } = payload;
  const scope = await openStoreProducts(app, key.shopId);
  if (!scope) return;
  try {
    const { isUnknown } = await followStoreProduct(scope, key);
    if (isUnknown && tries === 0) await retryLater(app, key, tries, SHOWN_AFTER_SECONDS);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    const { operation, outcome, retryable, retryAfterSeconds } = error;
    app.log[levelOf(error)]({ shopId: key.shopId, operation, outcome, tries }, 'a store product could not be read');
    if (!retryable || tries >= MAX_TRIES) return;
    const seconds = Math.max(retryAfterSeconds ?? 0, MIN_WAIT_SECONDS * 2 ** tries);
    await retryLater(app, key, tries, Math.min(seconds, MAX_WAIT_SECONDS));
  }
}

function retryLater(app: App, key: StoreProductKey, tries: number, seconds: number): Promise<void> {
  const runAt = new Date(app.clock.now().getTime() + seconds * 1000);
  return enqueueReadStoreProduct(app.db, { ...key, tries: tries + 1 }, { runAt });
}

/**
 * Reads one store product and saves its data, or records that the service no longer has it. The result is `isUnknown` if neither the
 * service nor this database has the product. Throws PrintServiceError if the service gives no result, and the errors of
 * `receiveStoreProduct`.
 */
export async function followStoreProduct(
  { app, shop, printAccountId, service }: StoreProductScope,
  { storeId, storeProductId }: Omit<StoreProductKey, 'shopId'>,
): Promise<{ isChanged: boolean; isUnknown: boolean }> {
  const readAt = app.clock.now();
  try {
    const reading = await service.getStoreProduct(storeId, storeProductId);
    // A response about another product is ignored.
    if (reading.id !== storeProductId || (reading.storeId !== null && reading.storeId !== storeId))
      return { isChanged: false, isUnknown: false };
    const isChanged = await receiveStoreProduct(app, shop, { storeId, reading, printAccountId, readAt });
    return { isChanged, isUnknown: false };
  } catch (error) {
    if (!(error instanceof PrintServiceError) || error.outcome !== 'not_found') throw error;
    const key = { shopId: shop.id, storeId, storeProductId };
    const known = await app.db.manager.findOneBy(StoreProducts, key);
    if (!known) return { isChanged: false, isUnknown: true };
    return { isChanged: await removeStoreProduct(app, known, { printAccountId, readAt }), isUnknown: false };
  }
}
