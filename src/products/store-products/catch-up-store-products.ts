import { In, IsNull, LessThan, MoreThan, Not, type FindOptionsWhere } from 'typeorm';
import { levelOf } from '../../log.ts';
import type { App } from '../../app.ts';
import {
  PrintStores,
  StoreProducts,
  type PrintStore,
  type StoreProduct,
} from '../../database/entities/store-products.ts';
import { hasJob } from '../../jobs/has-job.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import type { ExtendedCalls } from '../../print/client.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { StoreProduct as Reading } from '../../print/legacy/store-products-v1.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { notePollNews } from '../../shops/poll-news.ts';
import { noteConnections } from '../connection-metafields/note-connections.ts';
import { resumeNewProducts } from '../new-products/resume-new-products.ts';
import { catchUpStoreVariants } from './catch-up-store-variants.ts';
import { connectAnew } from './connect-anew.ts';
import { enqueuePlanConnected } from './connect-variants.ts';
import { keyOf } from '../../jobs/registry.ts';
import type { StoreProductKey } from './read-store-product.ts';
import { followStoreProduct, openStoreProducts, type StoreProductScope } from './read-store-product.ts';
import { isKnown, receiveStoreProduct } from './receive-store-product.ts';
import { toStoreProduct } from './to-store-product.ts';
import { enqueue } from '../../jobs/enqueue.ts';

/** Pages of a hundred that one job lists of a store; the next pass goes on from there. */
const MOST_PAGES = 50;
/** A job lists for so long, and another goes on: what is new is asked for in the store, a call for each product. */
const LONGEST_MS = 8_000;
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
 * Finds what lost events of store products told (docs/rules/planning.md#polls): lists the products of the shop's stores, a part in
 * each pass and from where the last one ended, takes in what differs, and reads one by one what the list no longer shows and what
 * is not published yet. Without the list (`extendedCalls` off) all that are known are read in turn. What an event has told, and is
 * being read, is no news. Variants that the store has lost meanwhile are disconnected. Lists that take long are gone on with in
 * jobs of their own, which do nothing else: they say `since` when. Throws ShopifyError; what the print service does not answer is
 * the result's `error`.
 */
export async function catchUpStoreProducts(
  app: App,
  { shopId, since }: { shopId: number; since?: string },
  { longestMs = LONGEST_MS } = {},
): Promise<PassResult> {
  const result = { found: 0, mended: 0, error: null as string | null };
  const [isWhole, begunAt] = since === undefined ? [true, app.now()] : [false, new Date(since)];
  if (isWhole) {
    // A job that was lost, and what the store refused a day ago.
    await noteConnections(app.db, shopId);
    await enqueue(app.db, 'keep_variants', { shopId });
  }
  const scope = await openStoreProducts(app, shopId);
  if (!scope) return result;
  if (isWhole) {
    await resumeNewProducts(app, shopId);
    await connectAnew(scope, result);
  }
  let isListed = true;
  try {
    isListed = await listStores(scope, { isWhole, begunAt, longestMs }, result);
    if (isWhole) {
      await readKnown(scope, scope.service.extended === 'unsupported', result);
      await readGone(scope, result);
    }
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    app.log[levelOf(error)](
      { shopId, operation: error.operation, outcome: error.outcome },
      'the store products cannot be read',
    );
    result.error = error.code;
  }
  if (result.mended > 0) await notePollNews(app, 'print', [shopId]);
  if (isWhole) {
    const gone = await catchUpStoreVariants(app, scope.shop);
    await enqueue(app.db, 'read_new_variants', { shopId });
    if (gone > 0) await notePollNews(app, 'shopify', [shopId]);
    result.found += gone;
    result.mended += gone;
  }
  // A plan that was under way while a variant was connected may have held its order for what it had read before.
  await enqueuePlanConnected(app, app.db, shopId);
  if (!isListed) await goOnLater(app, shopId, begunAt);
  return result;
}

/**
 * Lists the stores of a shop; a job that goes on lists those that its pass, begun at `begunAt`, has not listed to their end. Returns whether
 * it has done with them: false, where its time was over before.
 */
async function listStores(
  scope: StoreProductScope,
  { isWhole, begunAt, longestMs }: { isWhole: boolean; begunAt: Date; longestMs: number },
  result: PassResult,
): Promise<boolean> {
  const { app, shop } = scope;
  const { extended } = scope.service;
  if (extended === 'unsupported') return true;
  const { manager } = app.db;
  const shopId = shop.id;
  const left = [{ listedTo: MoreThan(0) }, { listedAt: IsNull() }, { listedAt: LessThan(begunAt) }];
  const stores = await manager.find(PrintStores, {
    where: isWhole ? { shopId } : left.map((where) => ({ shopId, ...where })),
    order: { listedAt: { direction: 'ASC', nulls: 'FIRST' }, storeId: 'ASC' },
    take: MOST_STORES,
  });
  const { printStoreId: storeId } = readSettings(shop);
  // It becomes one of the shop's once it shows a product of the shop; until then its list is read from the start, once in a pass.
  if (isWhole && storeId !== null && !(await manager.existsBy(PrintStores, { shopId, storeId })))
    stores.unshift({ shopId, storeId, firstSeenAt: app.now(), listedTo: 0, roundStartedAt: app.now(), listedAt: null });
  const begun = performance.now();
  const isOver = () => performance.now() - begun > longestMs;
  for (const [at, store] of stores.entries()) {
    // Each job does something.
    if (at > 0 && isOver()) return false;
    let isDone = true;
    const list = async (): Promise<void> => {
      isDone = await listStore(scope, { extended, isOver }, store, result);
    };
    await goOnAfter(scope, list, result);
    if (!isDone) return false;
  }
  return true;
}

/** Has another job go on, unless a whole pass waits: that goes on where this one ended, too. */
async function goOnLater(app: App, shopId: number, begunAt: Date): Promise<void> {
  const [row]: { waits: boolean }[] = await app.db.query(
    `select exists (select from graphile_worker.jobs where key = 'catch_up_store_products:' || $1::int and locked_at is null
       and attempts < max_attempts) as waits`,
    [shopId],
  );
  if (row?.waits !== true) await enqueue(app.db, 'catch_up_store_products', { shopId, since: begunAt.toISOString() });
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

/** Returns whether this pass has done with the store: false, where the job's time was over and its place is kept. */
async function listStore(
  scope: StoreProductScope,
  { extended, isOver }: { extended: ExtendedCalls; isOver: () => boolean },
  { storeId, listedTo, roundStartedAt }: PrintStore,
  result: PassResult,
): Promise<boolean> {
  const { app, shop } = scope;
  const { manager } = app.db;
  const ofStore = { shopId: shop.id, storeId };
  // Whatever comes of it, it is then the turn of the others.
  let { affected: kept } = await manager.update(PrintStores, ofStore, { listedAt: app.now() });
  for (let offset = listedTo, pages = 0; pages < MOST_PAGES; pages += 1) {
    const readAt = app.now();
    const { products, next } = await extended.readStoreProductPage(storeId, offset);
    // A store that is not known to be the shop's has no place to be kept.
    const mayEnd = kept ? isOver : () => false;
    const taken = await takeInPage(scope, storeId, { products, readAt, mayEnd }, result);
    const isWhole = taken === products.length;
    if (isWhole && next === null) {
      await readUnlisted(scope, { storeId, roundStartedAt }, result);
      await manager.update(PrintStores, ofStore, { listedTo: 0, roundStartedAt: app.now() });
      return true;
    }
    offset = isWhole && next !== null ? next : offset + taken;
    // A pass that ends here goes on here.
    ({ affected: kept } = await manager.update(PrintStores, ofStore, { listedTo: offset }));
    if (kept && isOver()) return false;
  }
  return true;
}

/** Takes in what of a page is news; the rest is only noted as listed. Returns how many of them were looked at before the time was over. */
async function takeInPage(
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
    if (row && isKnown(app, row, toStoreProduct(storeId, reading), printAccountId)) continue;
    const isTold = await isBeingRead(app, { shopId: shop.id, storeId, storeProductId: reading.id }, reading.updatedAt);
    const isChanged = await receiveStoreProduct(app, shop, { storeId, reading, printAccountId, readAt });
    count(result, isChanged, isTold);
    if (mayEnd()) break;
  }
  await manager.update(StoreProducts, ofPage(products.slice(0, taken)), { listedAt: readAt });
  return taken;
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
async function isBeingRead(app: App, key: StoreProductKey, updatedAt: string | null): Promise<boolean> {
  const changedMs = updatedAt === null ? null : (parseTimestamp(updatedAt)?.getTime() ?? null);
  if (changedMs !== null && app.now().getTime() - changedMs < ON_ITS_WAY_MS) return true;
  const [job]: { has: boolean }[] = await app.db.query(`select ${hasJob('$1')} as has`, [
    keyOf('read_store_product', key),
  ]);
  return job?.has ?? false;
}
