import type { App } from '../../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../database/orders.ts';
import {
  PrintOrderLines,
  PrintOrders,
  SubmitAttempts,
  type PrintOrder,
  type PrintOrderLine,
  type SubmitAttempt,
} from '../../database/print-orders.ts';
import { PrintAccounts, Shops, type PrintAccount, type Shop } from '../../database/shops.ts';
import type { PrintPort, Unsupported } from '../../print/port.ts';
import { readInstallation, type InstallationSecrets } from '../../shops/installation.ts';
import { openPrintPort } from '../../shops/print-account.ts';
import { readSettings, type Settings } from '../../shops/settings.ts';
import { enqueueSubmit } from '../enqueue-submit.ts';

/** What the steps of submitting one print order share. */
export interface SubmitScope {
  app: App;
  shop: Shop;
  settings: Settings;
  storefrontOrder: StorefrontOrder;
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  account: PrintAccount;
  /** The service through the interface that this print order keeps for its life. */
  port: PrintPort;
  /** Seconds to wait while the service is out for this account; null: it is worth trying. */
  outageSeconds: () => number | null;
  installation: InstallationSecrets;
  /** How often this step was tried in vain, one after another. */
  tries: number;
}

/** Opens a print order for its next step; null when its shop is gone or it has no account. */
export async function openSubmitScope(app: App, printOrderId: string, tries = 0): Promise<SubmitScope | null> {
  const { manager } = app.db;
  const printOrder = await manager.findOneBy(PrintOrders, { id: printOrderId });
  if (!printOrder || printOrder.printAccountId === null) return null;
  const shop = await manager.findOneBy(Shops, { id: printOrder.shopId });
  const storefrontOrder = await manager.findOneBy(StorefrontOrders, { id: printOrder.storefrontOrderId });
  // Of a shop that is left, what was closed or is being cancelled is ended, and nothing else is done.
  const isToEnd = printOrder.closedAt !== null || printOrder.cancelRequestedAt !== null;
  const isLeft = shop?.state === 'leaving' && isToEnd;
  if (!shop || !storefrontOrder || (shop.state !== 'installed' && !isLeft)) return null;
  const lines = await manager.find(PrintOrderLines, { where: { printOrderId }, order: { id: 'ASC' } });
  const settings = readSettings(shop);
  // What was begun as a draft is confirmed, whatever the setting says by now.
  const extendedCalls = settings.extendedCalls || printOrder.submitWay === 'draft';
  const choice = { ...printOrder, extendedCalls };
  const { account, port, outageSeconds } = await openPrintPort(app, printOrder.printAccountId, choice);
  const installation = await readInstallation(app);
  return {
    app,
    shop,
    settings,
    storefrontOrder,
    printOrder,
    lines,
    account,
    port,
    outageSeconds,
    installation,
    tries,
  };
}

/** A call that the way of this print order cannot do without. */
export function needed<Call>(call: Call | Unsupported): Call {
  if (call === 'unsupported') throw new Error('the interface of this print order lacks a call that its way needs');
  return call;
}

/** The creates begun under this reference, oldest first: always read anew, another worker may have begun one. */
export function readAttempts({ app, printOrder }: SubmitScope): Promise<SubmitAttempt[]> {
  return app.db.manager.find(SubmitAttempts, { where: { printOrderId: printOrder.id }, order: { attempt: 'ASC' } });
}

/** Reads the print order's row again into the scope. */
export async function refresh(scope: SubmitScope): Promise<PrintOrder> {
  scope.printOrder = await scope.app.db.manager.findOneByOrFail(PrintOrders, { id: scope.printOrder.id });
  return scope.printOrder;
}

/** Runs the next step of the print order again after some seconds; `tries`: how often it was tried in vain by then. */
export async function tryAgainIn({ app, printOrder }: SubmitScope, seconds: number, tries = 0): Promise<void> {
  await enqueueSubmit(app, app.db.manager, printOrder, new Date(app.now().getTime() + seconds * 1000), tries);
}

/** Order Get proved that this account has the extended calls: kept once. */
export async function noteOrderGetSeen({ app, account }: SubmitScope): Promise<void> {
  if (account.orderGetSeenAt !== null) return;
  account.orderGetSeenAt = app.now();
  await app.db.manager.update(PrintAccounts, { id: account.id }, { orderGetSeenAt: account.orderGetSeenAt });
}
