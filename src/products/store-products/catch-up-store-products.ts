import { In, IsNull, LessThan, MoreThan, Not, type FindOptionsWhere } from 'typeorm';
import { levelOf } from '../../log.ts';
import type { App } from '../../app.ts';
import {
  PrintStores,
  StoreProducts,
  type PrintStore,
  type StoreProduct,
} from '../../database/entities/store-products.ts';
import { hasJobSql } from '../../jobs/has-job.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import type { ExtendedCalls } from '../../print/client.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { StoreProduct as Reading } from '../../print/current/store-products.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { recordPolledChanges } from '../../shops/record-polled-changes.ts';
import { enqueueConnectionUpdate } from '../connection-metafields/enqueue-connection-update.ts';
import { resumeNewProducts } from '../new-products/resume-new-products.ts';
import { catchUpStoreVariants } from './catch-up-store-variants.ts';
import { reconnectVariants } from './reconnect-variants.ts';
import { enqueuePlanConnected } from './connect-variants.ts';
import { keyOf } from '../../jobs/registry.ts';
import type { StoreProductKey } from './read-store-product.ts';
import { followStoreProduct, openStoreProducts, type StoreProductScope } from './read-store-product.ts';
import { isUnchangedReading, receiveStoreProduct } from './receive-store-product.ts';
import { toStoreProduct } from './to-store-product.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { enqueueSyncVariants, enqueueReadNewVariants } from '../../shops/enqueue-shop-jobs.ts';

/** Maximum number of pages, of 100 products each, that one job lists from a store. The next pass continues from there. */
const MAX_PAGES = 50;
/** How long a job lists products before another job continues. New products take time, because each needs a call to the store. */
const MAX_MS = 8_000;
/** Maximum number of store products that one pass reads one by one. */
const MAX_READ = 100;
/** Maximum number of stores that one pass lists, least recently listed first. */
const MAX_STORES = 20;
/** Products that are publishing or failed to publish are read every hour. The margin covers a pass that runs slightly early. */
const READ_AGAIN_MS = 50 * 60_000;
/** How long deleted products continue to be rechecked. */
const RECHECK_DELETED_MS = 86_400_000;
/** If a change is younger than this, its event may still arrive. */
const EVENT_DELAY_MS = 60_000;

/**
 * Finds changes in store products whose events were lost (docs/rules/planning.md#polls). Lists part of the products in the shop's stores,
 * starting where the last pass ended, and saves changes. Reads one by one the products that the list no longer shows or that are not
 * published yet. Without the list (`extendedCalls` off), reads all known products in turn. Products with a pending reading do not count as
 * missed. Disconnects variants that no longer exist in the store. Long lists continue in separate jobs that only list products. `since` is
 * the time when their pass began. Throws ShopifyError. If a call to the print service fails, the result has an `error`.
 */
export async function catchUpStoreProducts(
  app: App,
  { shopId, since }: { shopId: number; since?: string },
  { longestMs = MAX_MS } = {},
): Promise<PassResult> {
  const result = { found: 0, fixed: 0, error: null as string | null };
  const [isComplete, begunAt] = since === undefined ? [true, app.clock.now()] : [false, new Date(since)];
  if (isComplete) {
    // These jobs make up for lost ones, and retry values that the store refused a day ago.
    await enqueueConnectionUpdate(app.db, shopId);
    await enqueueSyncVariants(app.db, shopId);
  }
  const scope = await openStoreProducts(app, shopId);
  if (!scope) return result;
  if (isComplete) {
    await resumeNewProducts(app, shopId);
    await reconnectVariants(scope, result);
  }
  let isListed = true;
  try {
    isListed = await listStores(scope, { isComplete, begunAt, longestMs }, result);
    if (isComplete) {
      await readKnownProducts(scope, scope.service.extended === 'unsupported', result);
      await readDeletedProducts(scope, result);
    }
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    app.log[levelOf(error)](
      { shopId, operation: error.operation, outcome: error.outcome },
      'the store products cannot be read',
    );
    result.error = error.code;
  }
  if (result.fixed > 0) await recordPolledChanges(app, 'print', [shopId]);
  if (isComplete) {
    const gone = await catchUpStoreVariants(app, scope.shop);
    await enqueueReadNewVariants(app.db, shopId);
    if (gone > 0) await recordPolledChanges(app, 'shopify', [shopId]);
    result.found += gone;
    result.fixed += gone;
  }
  // A planning job that ran while a variant was being connected may have held its order because of an older reading.
  await enqueuePlanConnected(app, app.db, shopId);
  if (!isListed) await continueLater(app, shopId, begunAt);
  return result;
}

/**
 * Lists a shop's stores. A job that continues a pass lists the stores that the pass, begun at `begunAt`, has not finished. Returns false
 * if the time runs out before all stores are listed.
 */
async function listStores(
  scope: StoreProductScope,
  { isComplete, begunAt, longestMs }: { isComplete: boolean; begunAt: Date; longestMs: number },
  result: PassResult,
): Promise<boolean> {
  const { app, shop } = scope;
  const { extended } = scope.service;
  if (extended === 'unsupported') return true;
  const { manager } = app.db;
  const shopId = shop.id;
  const left = [{ listedTo: MoreThan(0) }, { listedAt: IsNull() }, { listedAt: LessThan(begunAt) }];
  const stores = await manager.find(PrintStores, {
    where: isComplete ? { shopId } : left.map((where) => ({ shopId, ...where })),
    order: { listedAt: { direction: 'ASC', nulls: 'FIRST' }, storeId: 'ASC' },
    take: MAX_STORES,
  });
  const { printStoreId: storeId } = readSettings(shop);
  // The store in the setting is saved once it shows one of the shop's products. Until then, its list is read from the start, once per pass.
  if (isComplete && storeId !== null && !(await manager.existsBy(PrintStores, { shopId, storeId })))
    stores.unshift({
      shopId,
      storeId,
      firstSeenAt: app.clock.now(),
      listedTo: 0,
      roundStartedAt: app.clock.now(),
      listedAt: null,
    });
  const begun = app.clock.ticks();
  const isOver = () => app.clock.ticks() - begun > longestMs;
  for (const [at, store] of stores.entries()) {
    // Each job lists at least one store.
    if (at > 0 && isOver()) return false;
    let isDone = true;
    const list = async (): Promise<void> => {
      isDone = await listStore(scope, { extended, isOver }, store, result);
    };
    await runUnlessRefused(scope, list, result);
    if (!isDone) return false;
  }
  return true;
}

/** Enqueues another job to continue the lists, unless a complete pass is waiting, which would also continue them. */
async function continueLater(app: App, shopId: number, begunAt: Date): Promise<void> {
  const [row]: { waits: boolean }[] = await app.db.query(
    `select exists (select from graphile_worker.jobs where key = 'catch_up_store_products:' || $1::int and locked_at is null
       and attempts < max_attempts) as waits`,
    [shopId],
  );
  if (row?.waits !== true) await enqueue(app.db, 'catch_up_store_products', { shopId, since: begunAt.toISOString() });
}

/** Runs a step and logs a refusal, so that one store or product does not stop the others. Throws if the service is unavailable. */
async function runUnlessRefused(
  { app, shop }: StoreProductScope,
  step: () => Promise<void>,
  result: PassResult,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof PrintServiceError) || error.problem === 'out') throw error;
    const { operation, outcome } = error;
    app.log.warn(
      { shopId: shop.id, operation, outcome },
      'a store product, or a store at the print service, cannot be read',
    );
    result.error = error.code;
  }
}

/** Lists a store's products. If the job's time runs out, saves the position and returns false. */
async function listStore(
  scope: StoreProductScope,
  { extended, isOver }: { extended: ExtendedCalls; isOver: () => boolean },
  { storeId, listedTo, roundStartedAt }: PrintStore,
  result: PassResult,
): Promise<boolean> {
  const { app, shop } = scope;
  const { manager } = app.db;
  const ofStore = { shopId: shop.id, storeId };
  // The time of the attempt is saved before the listing, so that the other stores come next even if this store cannot be listed.
  let { affected: kept } = await manager.update(PrintStores, ofStore, { listedAt: app.clock.now() });
  for (let offset = listedTo, pages = 0; pages < MAX_PAGES; pages += 1) {
    const readAt = app.clock.now();
    const { products, next } = await extended.readStoreProductPage(storeId, offset);
    // A store that is not known to belong to the shop has no row in which to save its position.
    const mayEnd = kept ? isOver : () => false;
    const taken = await savePage(scope, storeId, { products, readAt, mayEnd }, result);
    const isComplete = taken === products.length;
    if (isComplete && next === null) {
      await readUnlisted(scope, { storeId, roundStartedAt }, result);
      await manager.update(PrintStores, ofStore, { listedTo: 0, roundStartedAt: app.clock.now() });
      return true;
    }
    offset = isComplete && next !== null ? next : offset + taken;
    // If the pass ends here, the next pass continues here.
    ({ affected: kept } = await manager.update(PrintStores, ofStore, { listedTo: offset }));
    if (kept && isOver()) return false;
  }
  return true;
}

/**
 * Saves a page's changed products, and marks the handled products as listed. Returns how many products were handled before the time ran
 * out.
 */
async function savePage(
  { app, shop, printAccountId }: StoreProductScope,
  storeId: string,
  { products, readAt, mayEnd }: { products: Reading[]; readAt: Date; mayEnd: () => boolean },
  result: PassResult,
): Promise<number> {
  const { manager } = app.db;
  const ofPage = (some: readonly Reading[]) => {
    return { shopId: shop.id, storeId, storeProductId: In(some.map(({ id }) => id)) };
  };
  const rows = await manager.findBy(StoreProducts, ofPage(products));
  const known = new Map(rows.map((row) => [row.storeProductId, row]));
  let taken = 0;
  for (const reading of products) {
    taken += 1;
    const row = known.get(reading.id);
    if (row && isUnchangedReading(app, row, toStoreProduct(storeId, reading), printAccountId)) continue;
    const isReported = await isReportedByEvent(
      app,
      { shopId: shop.id, storeId, storeProductId: reading.id },
      reading.updatedAt,
    );
    const isChanged = await receiveStoreProduct(app, shop, { storeId, reading, printAccountId, readAt });
    countReading(result, isChanged, isReported);
    if (mayEnd()) break;
  }
  await manager.update(StoreProducts, ofPage(products.slice(0, taken)), { listedAt: readAt });
  return taken;
}

/** Reads products that a complete round of the list did not show, because they moved between pages or the service no longer has them. */
async function readUnlisted(
  scope: StoreProductScope,
  { storeId, roundStartedAt }: Pick<PrintStore, 'storeId' | 'roundStartedAt'>,
  result: PassResult,
): Promise<void> {
  const of = { shopId: scope.shop.id, storeId, deletedAt: IsNull() };
  const where = [
    { ...of, listedAt: IsNull() },
    { ...of, listedAt: LessThan(roundStartedAt) },
  ];
  await readEach(scope, where, result);
}

async function readKnownProducts(scope: StoreProductScope, isAll: boolean, result: PassResult): Promise<void> {
  const { app, shop, printAccountId } = scope;
  const readAt = LessThan(new Date(app.clock.now().getTime() - READ_AGAIN_MS));
  const due = { shopId: shop.id, deletedAt: IsNull(), readAt };
  const unpublished = { ...due, status: In(['publishing', 'publishing_error']) };
  const ofOtherKey = { ...due, printAccountId: Not(printAccountId) };
  await readEach(scope, isAll ? due : [unpublished, ofOtherKey], result);
}

/** Rechecks deleted products, because the service may have them again. Without the list, nothing else would detect this. */
async function readDeletedProducts(scope: StoreProductScope, result: PassResult): Promise<void> {
  const { app, shop, printAccountId } = scope;
  const deletedAt = MoreThan(new Date(app.clock.now().getTime() - RECHECK_DELETED_MS));
  const readAt = LessThan(new Date(app.clock.now().getTime() - READ_AGAIN_MS));
  await readEach(scope, { shopId: shop.id, printAccountId, deletedAt, readAt }, result);
}

async function readEach(
  scope: StoreProductScope,
  where: FindOptionsWhere<StoreProduct> | FindOptionsWhere<StoreProduct>[],
  result: PassResult,
): Promise<void> {
  const { manager } = scope.app.db;
  const rows = await manager.find(StoreProducts, { where, order: { readAt: 'ASC', id: 'ASC' }, take: MAX_READ });
  for (const row of rows) {
    const isReported = await isReportedByEvent(scope.app, row, null);
    const follow = async (): Promise<void> => {
      const { isChanged } = await followStoreProduct(scope, row).catch(async (error: unknown) => {
        if (error instanceof PrintServiceError && error.problem !== 'out') await markAsRead(scope.app, row);
        throw error;
      });
      countReading(result, isChanged, isReported);
    };
    await runUnlessRefused(scope, follow, result);
  }
}

/** Marks a product as read although its reading failed. Otherwise, products that cannot be read would use up every pass. */
async function markAsRead(app: App, { id }: StoreProduct): Promise<void> {
  const readAt = app.clock.now();
  await app.db.manager.update(StoreProducts, { id, readAt: LessThan(readAt) }, { readAt });
}

function countReading(result: PassResult, isChanged: boolean, isReported: boolean): void {
  result.found += Number(isChanged);
  result.fixed += Number(isChanged && !isReported);
}

/** Returns whether an event about the product has arrived, or may still arrive. */
async function isReportedByEvent(app: App, key: StoreProductKey, updatedAt: string | null): Promise<boolean> {
  const changedMs = updatedAt === null ? null : (parseTimestamp(updatedAt)?.getTime() ?? null);
  if (changedMs !== null && app.clock.now().getTime() - changedMs < EVENT_DELAY_MS) return true;
  const [job]: { has: boolean }[] = await app.db.query(`select ${hasJobSql('$1')} as has`, [
    keyOf('read_store_product', key),
  ]);
  return job?.has ?? false;
}
