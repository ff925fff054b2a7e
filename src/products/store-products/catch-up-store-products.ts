import { In, IsNull, LessThan, MoreThan, Not, type FindOptionsWhere } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintStores, StoreProducts, type PrintStore, type StoreProduct } from '../../database/store-products.ts';
import { hasJob } from '../../jobs/has-job.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import type { ExtendedCalls } from '../../print/client.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { StoreProduct as Reading } from '../../print/store-products-v1.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import { readSettings } from '../../shops/settings.ts';
import { enqueueKeepVariants } from '../../shops/enqueue-keep-variants.ts';
import { notePollNews } from '../../shops/poll-news.ts';
import { noteConnections } from '../connection-metafields/note-connections.ts';
import { resumeNewProducts } from '../new-products/enqueue-new-product.ts';
import { catchUpStoreVariants } from './catch-up-store-variants.ts';
import { connectVariants, enqueuePlanConnected, lockConnections } from './connect-variants.ts';
import { enqueueReadNewVariants } from './enqueue-read-new-variants.ts';
import { readStoreProductKey } from './enqueue-read-store-product.ts';
import { followStoreProduct, openStoreProducts, type StoreProductScope } from './read-store-product.ts';
import { isKnown, receiveStoreProduct } from './receive-store-product.ts';
import { toStoreProduct } from './to-store-product.ts';

/** Pages of a hundred that one pass lists of a store; the next pass goes on from there. */
const MOST_PAGES = 50;
/** Store products that one pass reads one by one. */
const MOST_READ = 100;
/** Stores that one pass lists, those first that were listed longest ago. */
const MOST_STORES = 20;
/** What is being published, or failed to be, is read each hour; a pass that comes a moment early must not leave it out. */
const READ_AGAIN_MS = 50 * 60_000;
/** What was found to be deleted is looked for that long. */
const GONE_MS = 86_400_000;
/** An event of a change that is younger than this may be on its way. */
const ON_ITS_WAY_MS = 60_000;

/**
 * Finds what lost events of store products told (design, "Polls"): lists the products of the shop's stores, a part in each pass and from
 * where the last one ended, takes in what differs, and reads one by one what the list no longer shows and what is not published yet. Without
 * the list (`extendedCalls` off) all that are known are read in turn. What an event has told, and is being read, is no news. Variants that
 * the store has lost meanwhile are disconnected. Throws ShopifyError; what the print service does not answer is the result's `error`.
 */
export async function catchUpStoreProducts(app: App, { shopId }: { shopId: number }): Promise<PassResult> {
  const result = { found: 0, mended: 0, error: null as string | null };
  // A job that was lost, and what the store refused a day ago.
  await noteConnections(app, app.db, shopId);
  await enqueueKeepVariants(app, app.db, { id: shopId });
  const scope = await openStoreProducts(app, shopId);
  if (!scope) return result;
  await resumeNewProducts(app, shopId);
  await decideAnew(scope, result);
  try {
    const { extended } = scope.service;
    if (extended !== 'unsupported') await listStores(scope, extended, result);
    await readKnown(scope, extended === 'unsupported', result);
    await readGone(scope, result);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    app.log.warn({ shopId, operation: error.operation, outcome: error.outcome }, 'the store products cannot be read');
    result.error = error.code;
  }
  if (result.mended > 0) await notePollNews(app, 'print', [shopId]);
  const gone = await catchUpStoreVariants(app, scope.shop);
  await enqueueReadNewVariants(app, app.db, { shopId });
  if (gone > 0) await notePollNews(app, 'shopify', [shopId]);
  result.found += gone;
  result.mended += gone;
  // A plan that was under way while a variant was connected may have held its order for what it had read before.
  await enqueuePlanConnected(app, app.db, shopId);
  return result;
}

/** What a product read with an earlier key said last counts no more once one of the present key names the variant, also one that was read long ago. */
async function decideAnew({ app, shop, printAccountId }: StoreProductScope, result: PassResult): Promise<void> {
  const changed = await app.db.transaction(async (manager) => {
    await lockConnections(manager, shop.id);
    const rows: { id: string }[] = await manager.query(OF_OTHER_KEY, [shop.id, printAccountId]);
    return connectVariants(
      app,
      manager,
      shop.id,
      rows.map(({ id }) => id),
    );
  });
  result.found += changed;
  result.mended += changed;
}

const OF_OTHER_KEY = `
  select distinct c.shopify_variant_id as id from variant_connections c
    join store_products p on p.shop_id = c.shop_id and p.store_product_id = c.store_product_id and p.print_account_id <> $2
  where c.shop_id = $1 and exists (
    select from store_product_variants s join store_products o on o.id = s.store_product_id
    where s.shop_id = $1 and s.shopify_variant_id = c.shopify_variant_id and o.print_account_id = $2)`;

async function listStores(scope: StoreProductScope, extended: ExtendedCalls, result: PassResult): Promise<void> {
  const { app, shop } = scope;
  const { manager } = app.db;
  const shopId = shop.id;
  const stores = await manager.find(PrintStores, {
    where: { shopId },
    order: { listedAt: { direction: 'ASC', nulls: 'FIRST' }, storeId: 'ASC' },
    take: MOST_STORES,
  });
  const { printStoreId: storeId } = readSettings(shop);
  // It becomes one of the shop's once it shows a product of the shop; until then its list is read from the start.
  if (storeId !== null && !(await manager.existsBy(PrintStores, { shopId, storeId })))
    stores.push({ shopId, storeId, firstSeenAt: app.now(), listedTo: 0, roundStartedAt: app.now(), listedAt: null });
  for (const store of stores) await goOnAfter(scope, () => listStore(scope, extended, store, result), result);
}

/** What the service refuses of one store or one product stops no other; where it is out, none is asked. */
async function goOnAfter(
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
      'a store product, or a store of the print service, cannot be read',
    );
    result.error = error.code;
  }
}

async function listStore(
  scope: StoreProductScope,
  extended: ExtendedCalls,
  { storeId, listedTo, roundStartedAt }: PrintStore,
  result: PassResult,
): Promise<void> {
  const { app, shop } = scope;
  const { manager } = app.db;
  const ofStore = { shopId: shop.id, storeId };
  // Whatever comes of it, it is then the turn of the others.
  await manager.update(PrintStores, ofStore, { listedAt: app.now() });
  for (let offset = listedTo, pages = 0; pages < MOST_PAGES; pages += 1) {
    const readAt = app.now();
    const { products, next } = await extended.readStoreProductPage(storeId, offset);
    await takeInPage(scope, storeId, { products, readAt }, result);
    if (next === null) {
      await readUnlisted(scope, { storeId, roundStartedAt }, result);
      await manager.update(PrintStores, ofStore, { listedTo: 0, roundStartedAt: app.now() });
      return;
    }
    offset = next;
    // A pass that ends here goes on here.
    await manager.update(PrintStores, ofStore, { listedTo: offset });
  }
}

/** Takes in what of a page is news; the rest is only noted as listed. */
async function takeInPage(
  { app, shop, printAccountId }: StoreProductScope,
  storeId: string,
  { products, readAt }: { products: Reading[]; readAt: Date },
  result: PassResult,
): Promise<void> {
  const ofPage = { shopId: shop.id, storeId, storeProductId: In(products.map(({ id }) => id)) };
  const rows = await app.db.manager.findBy(StoreProducts, ofPage);
  const known = new Map(rows.map((row) => [row.storeProductId, row]));
  for (const reading of products) {
    const row = known.get(reading.id);
    if (row && isKnown(app, row, toStoreProduct(storeId, reading), printAccountId)) continue;
    const isTold = await isBeingRead(app, { shopId: shop.id, storeProductId: reading.id }, reading.updatedAt);
    const isChanged = await receiveStoreProduct(app, shop, { storeId, reading, printAccountId, readAt });
    count(result, isChanged, isTold);
  }
  await app.db.manager.update(StoreProducts, ofPage, { listedAt: readAt });
}

/** What the list did not show in a whole round: it moved while it was paged, or the service has it no more. */
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

async function readKnown(scope: StoreProductScope, isAll: boolean, result: PassResult): Promise<void> {
  const { app, shop, printAccountId } = scope;
  const readAt = LessThan(new Date(app.now().getTime() - READ_AGAIN_MS));
  const due = { shopId: shop.id, deletedAt: IsNull(), readAt };
  const unpublished = { ...due, status: In(['publishing', 'publishing_error']) };
  const ofOtherKey = { ...due, printAccountId: Not(printAccountId) };
  await readEach(scope, isAll ? due : [unpublished, ofOtherKey], result);
}

/** What the service had no more once it may have again: without the list nothing else would tell. */
async function readGone(scope: StoreProductScope, result: PassResult): Promise<void> {
  const { app, shop, printAccountId } = scope;
  const deletedAt = MoreThan(new Date(app.now().getTime() - GONE_MS));
  const readAt = LessThan(new Date(app.now().getTime() - READ_AGAIN_MS));
  await readEach(scope, { shopId: shop.id, printAccountId, deletedAt, readAt }, result);
}

async function readEach(
  scope: StoreProductScope,
  where: FindOptionsWhere<StoreProduct> | FindOptionsWhere<StoreProduct>[],
  result: PassResult,
): Promise<void> {
  const { manager } = scope.app.db;
  const rows = await manager.find(StoreProducts, { where, order: { readAt: 'ASC', id: 'ASC' }, take: MOST_READ });
  for (const row of rows) {
    const isTold = await isBeingRead(scope.app, row, null);
    const follow = async (): Promise<void> => {
      const { isChanged } = await followStoreProduct(scope, row).catch(async (error: unknown) => {
        if (error instanceof PrintServiceError && error.problem !== 'out') await noteRefused(scope.app, row);
        throw error;
      });
      count(result, isChanged, isTold);
    };
    await goOnAfter(scope, follow, result);
  }
}

/** What the service refuses to show takes its turn: as many of these as one pass reads would keep all others from being read. */
async function noteRefused(app: App, { id }: StoreProduct): Promise<void> {
  const readAt = app.now();
  await app.db.manager.update(StoreProducts, { id, readAt: LessThan(readAt) }, { readAt });
}

function count(result: PassResult, isChanged: boolean, isTold: boolean): void {
  result.found += Number(isChanged);
  result.mended += Number(isChanged && !isTold);
}

/** Whether an event has told of it, or may be on its way. */
async function isBeingRead(
  app: App,
  key: { shopId: number; storeProductId: string },
  updatedAt: string | null,
): Promise<boolean> {
  const changedMs = updatedAt === null ? null : (parseTimestamp(updatedAt)?.getTime() ?? null);
  if (changedMs !== null && app.now().getTime() - changedMs < ON_ITS_WAY_MS) return true;
  const [job]: { has: boolean }[] = await app.db.query(`select ${hasJob('$1')} as has`, [readStoreProductKey(key)]);
  return job?.has ?? false;
}
