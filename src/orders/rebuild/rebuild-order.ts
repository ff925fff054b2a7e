import { In, IsNull, Not } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintedLines, StorefrontOrders } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import { PrintAccounts, type PrintAccount, type Shop } from '../../database/entities/shops.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { PrintPort } from '../../print/port.ts';
import { markPrintAccountRefused, openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { enqueuePush } from '../enqueue/enqueue-push.ts';
import { addFulfillmentOrders, mayLackParts, raiseNumbers, type PlacedReference } from '../facts/found-orders.ts';
import { followPrintOrder } from '../follow/follow-print-order.ts';
import { hashLineItem } from '../facts/hash-line-item.ts';
import { isAtTestHost } from '../facts/print-order-predicates.ts';
import { isStateIn } from '../facts/order-state.ts';
import type { StoreReading } from '../facts/store-reading.ts';
import { countForgottenUnits } from '../plan/read/read-plan-facts.ts';
import type { OwnRows } from '../rows/own-rows.ts';
import { holdUnknownOrder } from '../record/hold-unknown-order.ts';
import { recordStepWait, type Wait } from '../waits/record-step-wait.ts';
import { describeFailure, formatServiceMessage } from '../waits/describe-failure.ts';
import { addForgottenFulfillments } from './add-forgotten-fulfillments.ts';
import { addForgottenOrder } from './add-forgotten-order.ts';
import { findForgottenOrders, type SoldOrder } from './find-forgotten-orders.ts';
import { markReprinted } from './mark-reprinted.ts';

/** The longest pause that the service may ask for before a failed search is retried. */
const MAX_SECONDS = 300;
const REFUSED_SECONDS = 60;
/** How many of the shop's latest print orders show which print accounts it used before. */
const LATEST_PRINT_ORDERS = 1000;

/** The result of rebuilding an order. */
export interface Rebuilt {
  /** When the order is rebuilt, if that is not possible yet. Until then, nothing is planned. Null if its rows are complete now. */
  nextAt: Date | null;
}

/**
 * Returns whether the database may have forgotten print orders of an order: it was restored after the order was placed, and the order has
 * not been rebuilt since. False if no plan can rebuild the order, so that its print orders do not wait for one.
 */
export function isUnreconciled({ shop, storefrontOrder, installation }: SoldOrder): boolean {
  const { placedAt, reconciledAt, redactedAt } = storefrontOrder;
  const { quietUntil } = installation;
  if (shop.state !== 'installed' || shop.printAccountId === null || redactedAt !== null) return false;
  if (quietUntil === null || !mayLackParts(installation, placedAt)) return false;
  return reconciledAt === null || reconciledAt < quietUntil;
}

/**
 * Rebuilds what the database has forgotten about an order, from the store and the print service, before the order is planned
 * (docs/rules/created-once.md#restored-database): the database was restored, or the shop's data was deleted and Platen was installed
 * again. Each print order that is found under one of the order's references gets its rows, and each draft that no row explains is deleted.
 * Returns null if nothing has to be rebuilt. `reading` is null if the store no longer has the order.
 */
export async function rebuildOrder(
  app: App,
  sold: SoldOrder,
  reading: StoreReading | null,
  rows: OwnRows,
): Promise<Rebuilt | null> {
  const { shop, storefrontOrder, installation } = sold;
  const placed = { ...storefrontOrder, placedAt: reading ? new Date(reading.createdAt) : storefrontOrder.placedAt };
  const isRestored = isUnreconciled({ ...sold, storefrontOrder: placed });
  if (shop.printAccountId === null || (!isRestored && !(await wasDeleted(app, sold, reading, rows)))) return null;
  const { quietUntil } = installation;
  const now = app.clock.now();
  if (isRestored && quietUntil !== null && now < quietUntil) {
    const why = `The database was restored from a backup. Nothing is sent until ${quietUntil.toISOString()}.`;
    const seconds = (quietUntil.getTime() - now.getTime()) / 1000 + 1;
    return waitToRebuild(app, sold, { why, seconds, isExact: true, isNews: true });
  }
  try {
    const { port: current, account: own } = await openPort(app, shop, shop.printAccountId);
    if (own.state === 'refused') {
      const why = "The print service refused the print account's key.";
      return await waitToRebuild(app, sold, { why, seconds: REFUSED_SECONDS, isExact: true });
    }
    const used: PlacedReference[] = [];
    for (const { port, account } of [{ port: current, account: own }, ...(await openEarlierPorts(app, shop))]) {
      const found = await findForgottenOrders(app, sold, reading, port);
      used.push(...found.used);
      for (const one of found.orders) {
        const isCertain = reading !== null && (await addForgottenOrder(app, sold, reading, { port, account }, one));
        // Without a restore, the units are known and held until someone decides (`printed_before`).
        if (!isCertain && isRestored) await holdUnknownOrder(app, storefrontOrder, one.reference);
      }
    }
    if (!(await readStatuses(app, storefrontOrder.id))) {
      const why = "Platen must first read the order's print orders at the print service.";
      return await waitToRebuild(app, sold, { why });
    }
    if (reading) {
      if (used.length > 0) await markReprinted(app, storefrontOrder.id, reading);
      await addForgottenFulfillments(app, storefrontOrder, reading, {
        showsPackages: current.status !== 'unsupported',
      });
    }
    const { referenceNumbers } = await app.db.manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrder.id });
    await app.db.manager.update(
      StorefrontOrders,
      { id: storefrontOrder.id },
      {
        reconciledAt: now,
        reconciledAccountId: shop.printAccountId,
        referenceNumbers: raiseNumbers(
          reading ? addFulfillmentOrders(referenceNumbers, reading) : referenceNumbers,
          used,
        ),
      },
    );
    // The store may lack the fulfillments of print orders that have shipped.
    await enqueuePush(app.db, storefrontOrder.id);
    return { nextAt: null };
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    // A key that the test host refuses may still be valid on the live hosts.
    if (error.outcome === 'account_refused' && !isAtTestHost(readSettings(shop)))
      await markPrintAccountRefused(app, shop.printAccountId, error.serviceMessage);
    const asked = error.retryAfterSeconds === null ? {} : { seconds: Math.min(error.retryAfterSeconds, MAX_SECONDS) };
    const why = describeFailure(error, 'search for print orders that the database lacks');
    return waitToRebuild(app, sold, { why, words: formatServiceMessage(error), ...asked });
  }
}

/**
 * Returns whether an earlier installation printed units of the order whose print orders were deleted with the shop's data, and nobody has
 * searched the shop's print account for them.
 */
async function wasDeleted(
  app: App,
  { shop, storefrontOrder }: SoldOrder,
  reading: StoreReading | null,
  rows: OwnRows,
): Promise<boolean> {
  if (!reading) return false;
  // All rows of an order that was placed after the installation still exist.
  if (Date.parse(reading.createdAt) >= shop.installedAt.getTime()) return false;
  if (storefrontOrder.reconciledAccountId === shop.printAccountId) return false;
  const lineItemHash = In(reading.lineItems.map(({ id }) => hashLineItem(id)));
  return countForgottenUnits(await app.db.manager.findBy(PrintedLines, { lineItemHash }), reading, rows).size > 0;
}

function openPort(app: App, shop: Shop, accountId: number): Promise<{ account: PrintAccount; port: PrintPort }> {
  return openPrintPort(app, accountId, { ...readSettings(shop), shopId: shop.id });
}

/** Opens the accounts that the shop used before, because the database may have forgotten when the shop changed its account. */
async function openEarlierPorts(app: App, shop: Shop): Promise<{ account: PrintAccount; port: PrintPort }[]> {
  const others: { id: number }[] = await app.db.query(
    `select distinct a.id from print_accounts a join (
       select print_account_id from print_orders where shop_id = $1 and confirmed_at is not null order by confirmed_at desc limit $3) p
       on p.print_account_id = a.id
     where a.id <> $2 and a.state <> 'refused'`,
    [shop.id, shop.printAccountId, LATEST_PRINT_ORDERS],
  );
  return Promise.all(others.map(({ id }) => openPort(app, shop, id)));
}

/**
 * Reads the unfinished print orders at the service, because the database may have forgotten what happened to them. Returns false if one of
 * them could not be read. An account whose key the service refuses shows none of its print orders.
 */
async function readStatuses(app: App, storefrontOrderId: string): Promise<boolean> {
  const sent = { storefrontOrderId, confirmedAt: Not(IsNull()), fencedAt: IsNull() };
  for (const { id, state, printAccountId } of await app.db.manager.findBy(PrintOrders, sent)) {
    if (!isStateIn(state, 'polled')) continue;
    const refused = { id: printAccountId ?? 0, state: 'refused' } as const;
    if (await app.db.manager.existsBy(PrintAccounts, refused)) continue;
    const begunAt = app.clock.now();
    await followPrintOrder(app, { printOrderId: id });
    const { followedAt } = await app.db.manager.findOneByOrFail(PrintOrders, { id });
    if (followedAt === null || followedAt < begunAt) return false;
  }
  return true;
}

/** Records why the order cannot be rebuilt now. */
async function waitToRebuild(
  app: App,
  { shop, storefrontOrder }: SoldOrder,
  wait: Omit<Wait, 'step'>,
): Promise<Rebuilt> {
  const order = { shopId: shop.id, storefrontOrderId: storefrontOrder.id, printOrder: null };
  const nextAt = await recordStepWait(app, app.db.manager, order, { ...wait, step: 'plan' });
  return { nextAt };
}
