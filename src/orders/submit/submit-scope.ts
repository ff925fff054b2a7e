import type { App } from '../../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import {
  PrintOrderLines,
  PrintOrders,
  SubmitAttempts,
  type PrintOrder,
  type PrintOrderLine,
  type SubmitAttempt,
} from '../../database/entities/print-orders.ts';
import { PrintAccounts, Shops, type PrintAccount, type Shop } from '../../database/entities/shops.ts';
import type { PrintPort, Unsupported } from '../../print/port.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings, type Settings } from '../../shops/settings/settings.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { openOrder, type OrderSession } from '../rows/order-session.ts';
import { recordStepWait, type Wait } from '../waits/record-step-wait.ts';
import { isClosing } from '../facts/print-order-predicates.ts';

/** Data shared by the steps that submit a print order. */
export interface SubmitScope {
  app: App;
  /** All rows of the storefront order. */
  order: OrderSession;
  shop: Shop;
  settings: Settings;
  storefrontOrder: StorefrontOrder;
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  account: PrintAccount;
  /** The service's operations through the print order's interface, which never changes. */
  port: PrintPort;
  /** Seconds to wait while the service has an outage for this account, or null if no outage is known. */
  outageSeconds: () => number | null;
  installation: InstallationSecrets;
}

/** Opens a print order for its next step. Returns null if its shop is not installed or is fenced off, or if it has no account. */
export async function openSubmitScope(app: App, printOrderId: string): Promise<SubmitScope | null> {
  const order = await openOrder(app, { printOrderId });
  return order && openScopeOf(app, order, printOrderId);
}

/** Opens a print order like `openSubmitScope`, from rows that have already been read. */
export async function openScopeOf(app: App, order: OrderSession, printOrderId: string): Promise<SubmitScope | null> {
  const manager = order.reader;
  const printOrder = await manager.findOneBy(PrintOrders, { id: printOrderId });
  if (!printOrder || printOrder.printAccountId === null) return null;
  const shop = await manager.findOneBy(Shops, { id: printOrder.shopId });
  const storefrontOrder = await manager.findOneBy(StorefrontOrders, { id: printOrder.storefrontOrderId });
  // For a shop that is leaving, Platen finishes only closed print orders and cancellations.
  const isEndedByLeaving = shop?.state === 'leaving' && isClosing(printOrder);
  if (!shop || !storefrontOrder || (shop.state !== 'installed' && !isEndedByLeaving)) return null;
  // Another database acts for the store.
  if (shop.fencedOffAt !== null) return null;
  const lines = await manager.find(PrintOrderLines, { where: { printOrderId }, order: { id: 'ASC' } });
  const settings = readSettings(shop);
  // A print order that was begun as a draft needs the extended calls to be confirmed, whatever the setting is now.
  const extendedCalls = settings.extendedCalls || printOrder.submitWay === 'draft';
  const choice = { ...printOrder, extendedCalls };
  const { account, port, outageSeconds } = await openPrintPort(app, printOrder.printAccountId, choice, manager);
  const installation = await order.readInstallation();
  return {
    app,
    order,
    shop,
    settings,
    storefrontOrder,
    printOrder,
    lines,
    account,
    port,
    outageSeconds,
    installation,
  };
}

/** Returns an operation that the print order needs. Throws if its interface lacks the operation. */
export function requireCall<Call>(call: Call | Unsupported): Call {
  if (call === 'unsupported') throw new Error("the print order's interface lacks a required call");
  return call;
}

/**
 * Reads the create attempts under the reference, oldest first. A caller that deletes drafts without an attempt must reload the order first.
 */
export function readAttempts({ order, printOrder }: SubmitScope): Promise<SubmitAttempt[]> {
  return order.reader.find(SubmitAttempts, { where: { printOrderId: printOrder.id }, order: { attempt: 'ASC' } });
}

/** Reads the print order's row again and updates the scope. */
export async function refreshPrintOrder(scope: SubmitScope): Promise<PrintOrder> {
  scope.printOrder = await scope.order.reader.findOneByOrFail(PrintOrders, { id: scope.printOrder.id });
  return scope.printOrder;
}

/** Enqueues the submit step again for a later time, and records why the order is waiting. */
export async function waitToSubmit({ app, printOrder }: SubmitScope, wait: Omit<Wait, 'step'>): Promise<void> {
  const { manager } = app.db;
  const runAt = await recordStepWait(app, manager, { ...printOrder, printOrder }, { ...wait, step: 'submit' });
  await enqueueSubmit(manager, printOrder, runAt);
}

/** Records once that the account has the extended calls, because one of them has succeeded. */
export async function recordExtendedCalls({ app, account }: SubmitScope): Promise<void> {
  if (account.orderGetSeenAt !== null) return;
  account.orderGetSeenAt = app.clock.now();
  await app.db.manager.update(PrintAccounts, { id: account.id }, { orderGetSeenAt: account.orderGetSeenAt });
}
