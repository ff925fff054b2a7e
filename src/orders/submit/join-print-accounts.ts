import { In, IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds } from '../../database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import { PrintAccounts, type Shop } from '../../database/entities/shops.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { findEach } from '../../print/find-each.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { openHoldWithEntry } from '../record/hold-print-order.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { stateInSql } from '../facts/order-state.ts';

/** Maximum number of a shop's earlier keys that are checked in one pass. */
const MAX_ACCOUNTS = 20;
/** Maximum number of known orders to search for. If a key shows at least one of them, the key opens the account. */
const MAX_KNOWN = 20;
/** Maximum number of print orders that are held or resumed in one step. */
const MAX_ORDERS = 1000;

const NOT_ENDED = `p.fenced_at is null and not ${stateInSql('ended')}`;

/**
 * Handles print orders begun with an earlier key of the shop. A print order never changes its account. If the new key shows an order of
 * that account, both keys open the same account, and the print orders continue with the new key. Otherwise, once the service refuses the
 * old key, unfinished print orders are held (`print_account_changed`) until someone enters a key of the old account again
 * (docs/rules/created-once.md#method-and-account). Throws PrintServiceError if the service gives no clear response.
 */
export async function joinPrintAccounts(app: App, shop: Shop): Promise<void> {
  const { id: shopId, printAccountId } = shop;
  if (printAccountId === null) return;
  await resumeOwnPrintOrders(app, shop);
  const others: { id: number }[] = await app.db.query(
    `select distinct p.print_account_id as id from print_orders p
     where p.shop_id = $1 and p.print_account_id <> $2 and ${NOT_ENDED} order by 1 limit $3`,
    [shopId, printAccountId, MAX_ACCOUNTS],
  );
  for (const { id } of others) {
    if (await keyOpensAccount(app, printAccountId, id)) await joinAccounts(app, shop, id);
    else if (await isRefused(app, id)) await holdUnfinished(app, shop, id);
  }
}

/** Returns whether a key shows an order that is known to belong to another account. */
async function keyOpensAccount(app: App, printAccountId: number, otherId: number): Promise<boolean> {
  const known: Pick<PrintOrder, 'reference' | 'printInterface' | 'legacyHost'>[] = await app.db.query(
    `select p.reference, p.print_interface as "printInterface", p.legacy_host as "legacyHost" from print_orders p
     where p.print_account_id = $1 and p.confirmed_at is not null and p.service_order_id is not null
     order by p.confirmed_at desc limit $2`,
    [otherId, MAX_KNOWN],
  );
  const [newest] = known;
  if (!newest) return false;
  const { port } = await openPrintPort(app, printAccountId, { ...newest, extendedCalls: false });
  const comparable = known.filter(({ printInterface, legacyHost }) => {
    return printInterface === newest.printInterface && legacyHost === newest.legacyHost;
  });
  const references = comparable.map(({ reference }) => reference);
  for await (const _shown of findEach(app.clock, port, references)) return true;
  return false;
}

async function isRefused(app: App, accountId: number): Promise<boolean> {
  const account = await app.db.manager.findOneByOrFail(PrintAccounts, { id: accountId });
  if (account.state === 'refused') return true;
  const choice = { printInterface: 'current', legacyHost: 'live', extendedCalls: false } as const;
  const { port } = await openPrintPort(app, accountId, choice);
  try {
    for await (const _shown of port.find({ orderReferenceIds: ['platen-key-test'] })) break;
    return false;
  } catch (error) {
    if (error instanceof PrintServiceError && error.outcome === 'account_refused') return true;
    throw error;
  }
}

/** Moves all the shop's print orders, including finished ones, to the new key, because both keys open the same account. */
async function joinAccounts(app: App, { id: shopId, printAccountId }: Shop, otherId: number): Promise<void> {
  await app.db.transaction(async (manager) => {
    const unfinished = await findPrintOrders(manager, shopId, otherId, NOT_ENDED);
    const ofShop = 'select id from print_orders where shop_id = $1 and print_account_id = $2';
    await manager.query(`update service_orders set print_account_id = $3 where print_order_id in (${ofShop})`, [
      shopId,
      otherId,
      printAccountId,
    ]);
    await manager.update(PrintOrders, { shopId, printAccountId: otherId }, { printAccountId });
    for (const printOrder of unfinished) await resumePrintOrder(app, manager, printOrder);
  });
}

async function resumePrintOrder(app: App, manager: EntityManager, printOrder: PrintOrder): Promise<void> {
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  const code = In<HoldCode>(['print_account_changed', 'print_account_refused']);
  await manager.update(Holds, { printOrderId, code, resolvedAt: IsNull() }, { resolvedAt: app.clock.now() });
  const message = `${reference} continues with the current print key, which opens the same print account.`;
  await writeTimeline(manager, { shopId, storefrontOrderId, printOrderId, kind: 'print_key_changed', message });
}

/** Resumes held print orders whose account's key was entered again. */
async function resumeOwnPrintOrders(app: App, { id: shopId, printAccountId }: Shop): Promise<void> {
  const isHeld = `exists (select from holds h where h.print_order_id = p.id and h.code = 'print_account_changed' and h.resolved_at is null)`;
  const held = printAccountId === null ? [] : await findPrintOrders(app.db.manager, shopId, printAccountId, isHeld);
  await app.db.transaction(async (manager) => {
    for (const printOrder of held) await resumePrintOrder(app, manager, printOrder);
  });
}

async function holdUnfinished(app: App, { id: shopId }: Shop, otherId: number): Promise<void> {
  await app.db.transaction(async (manager) => {
    for (const printOrder of await findPrintOrders(manager, shopId, otherId, NOT_ENDED)) {
      const message =
        'It was started with another print account. The print service now refuses the key of that account, so Platen cannot follow the order.';
      await openHoldWithEntry(manager, printOrder, { code: 'print_account_changed', field: 'printKey', message });
    }
  });
}

/** Finds the shop's print orders `p` with this account that meet a condition in SQL. */
async function findPrintOrders(
  manager: EntityManager,
  shopId: number,
  printAccountId: number,
  condition: string,
): Promise<PrintOrder[]> {
  const found: { id: string }[] = await manager.query(
    `select p.id from print_orders p where p.shop_id = $1 and p.print_account_id = $2 and ${condition} order by p.id limit $3`,
    [shopId, printAccountId, MAX_ORDERS],
  );
  return manager.find(PrintOrders, { where: { id: In(found.map(({ id }) => id)) }, order: { id: 'ASC' } });
}
