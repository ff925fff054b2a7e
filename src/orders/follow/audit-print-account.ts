import { Any, In, IsNull, MoreThan, MoreThanOrEqual, Not, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders, ServiceOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { PrintService } from '../../print/client.ts';
import type { SearchOrdersRequest } from '../../print/current/orders-v4.ts';
import { readInstallation, type InstallationSecrets, ofShop } from '../../shops/install/installation.ts';
import { openPrintAccount } from '../../shops/print-account/print-account.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { openHoldWithEntry } from '../record/hold-print-order.ts';
import type { SoldOrder } from '../rebuild/find-forgotten-orders.ts';
import { isUnreconciled } from '../rebuild/rebuild-order.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { holdUnknownOrder } from '../record/hold-unknown-order.ts';
import { followChangedOrders } from './follow-changed-orders.ts';
import { groupConnected, nextReferences } from '../facts/found-orders.ts';
import { willNeverShip } from '../facts/service-trouble.ts';

const DAYS = 7;
/** Maximum number of references or IDs in one search. */
const MAX_PER_SEARCH = 50;
/** Rows read per page. */
const PAGE = 500;
/** The audit also computes this many references after the last known one, because a restored database may have lost some. */
const AHEAD = 20;
/** Maximum number of references per finding in a log line. The logged count includes all references. */
const MAX_LOGGED = 50;

/** The findings of the audit of one print account. Each list contains references. */
export interface AuditReport {
  accountId: number;
  /** Number of this installation's orders that the service listed, excluding drafts. */
  orders: number;
  severalOrders: string[];
  /**
   * Live orders that the database does not know, or whose reference is fenced in the database. Their storefront orders or print orders are
   * on hold.
   */
  unknownOrders: string[];
  /** Unknown orders for which the audit found no storefront order to put on hold. */
  strayOrders: string[];
  missingOrders: string[];
  /**
   * The references, or else the IDs, of orders about which the audit concludes nothing, because the service's record of them has an
   * unreadable field.
   */
  unreadOrders: string[];
}

interface AuditScope {
  app: App;
  accountId: number;
  service: PrintService;
  installation: InstallationSecrets;
  since: Date;
  /** Orders created within the quiet time may still change. */
  settledBefore: Date;
}

/** An order as the audit reads it: not a draft, and without the buyer's data. */
interface ShownOrder {
  id: string;
  reference: string;
  connectedOrderIds: string[];
  fulfillmentStatus: string | null;
  /** An order whose record has an unreadable field counts as live. */
  isLive: boolean;
  isUnread: boolean;
}

/**
 * Compares the service's orders of the last 7 days with the database, opens holds for mismatches and follows status changes
 * (docs/rules/created-once.md#audit). The audit shares no code with the submit steps, so a mistake in those steps does not affect the
 * audit. Before the audit puts a suspicious order on hold, it reads the order again. Throws PrintServiceError if the service fails or lists
 * over 20,000 orders.
 */
export async function auditPrintAccount(app: App, { accountId }: { accountId: number }): Promise<AuditReport> {
  const { service } = await openPrintAccount(app, accountId, { extendedCalls: false });
  const installation = await readInstallation(app);
  const now = app.clock.now().getTime();
  const since = new Date(now - DAYS * 86_400_000);
  const settledBefore = new Date(now - app.config.print.submitQuietSeconds * 1000);
  const scope = { app, accountId, service, installation, since, settledBefore };
  const listed = await readOrders(scope, { startDate: [since.toISOString()] });
  // The rows are read after the list, because a row is committed before its order is created.
  const shown = Map.groupBy(listed, ({ reference }) => reference);
  const unread = listed.filter(isUnread);
  for (const { reference } of unread) shown.delete(reference);
  const known = await readKnownOrders(app, [...shown.keys()]);
  const unknown = [...shown.keys()].filter((reference) => !known.has(reference));
  const report: AuditReport = {
    accountId,
    orders: listed.length,
    ...(await checkKnownOrders(scope, shown, known)),
    unreadOrders: [...new Set(unread.map(({ id, reference }) => reference || id))],
    strayOrders: [],
    missingOrders: await checkMissingOrders(scope, new Set(listed.map(({ id }) => id))),
  };
  const { held, stray } = await checkUnknownOrders(scope, unknown);
  report.unknownOrders.push(...held);
  report.strayOrders.push(...stray);
  await followChangedOrders(app, accountId, listed);
  logReport(app, report);
  return report;
}

function logReport(app: App, { accountId, orders, ...found }: AuditReport): void {
  const counts = Object.entries(found).map(([kind, references]) => [
    kind,
    { count: references.length, references: references.slice(0, MAX_LOGGED) },
  ]);
  const details = { accountId, orders, ...Object.fromEntries(counts) };
  const { strayOrders, unreadOrders } = found;
  if (strayOrders.length > 0) app.log.error(details, 'the audit found print orders that belong to no known order');
  else if (unreadOrders.length > 0) app.log.warn(details, 'the audit of a print account could not read some orders');
  else app.log.info(details, 'the audit of a print account is done');
}

const isUnread = (order: ShownOrder): boolean => order.isUnread;

async function readOrders(scope: AuditScope, filters: SearchOrdersRequest): Promise<ShownOrder[]> {
  const prefix = `pl${scope.installation.code}-`;
  const orders: ShownOrder[] = [];
  for await (const record of scope.service.searchOrders(filters)) {
    const { id, orderReferenceId: reference, connectedOrderIds, orderType, fulfillmentStatus, lostField } = record;
    const isUnread = lostField !== null;
    // An unreadable reference may be Platen's.
    const isOwn = reference.startsWith(prefix) || (isUnread && reference === '');
    if (!isOwn || orderType === 'draft' || fulfillmentStatus === 'draft') continue;
    const isLive = !willNeverShip(fulfillmentStatus);
    orders.push({ id, reference, connectedOrderIds, fulfillmentStatus, isLive, isUnread });
  }
  return orders;
}

async function readOrdersBy(scope: AuditScope, by: 'ids' | 'orderReferenceIds', all: string[]): Promise<ShownOrder[]> {
  const orders: ShownOrder[] = [];
  for (let start = 0; start < all.length; start += MAX_PER_SEARCH)
    orders.push(...(await readOrders(scope, { [by]: all.slice(start, start + MAX_PER_SEARCH) })));
  return orders;
}

/** Groups connected parts into orders. An order is live while any of its parts is live. */
function groupLive(orders: readonly ShownOrder[]): ShownOrder[][] {
  return groupConnected(orders).filter((group) => group.some(({ isLive }) => isLive));
}

type KnownOrder = Pick<
  PrintOrder,
  'id' | 'reference' | 'serviceOrderId' | 'confirmedAt' | 'fencedAt' | 'printInterface'
>;

async function readKnownOrders(app: App, references: string[]): Promise<Map<string, KnownOrder>> {
  const rows = await app.db.manager.find(PrintOrders, {
    where: { reference: Any(references) },
    select: {
      id: true,
      reference: true,
      serviceOrderId: true,
      confirmedAt: true,
      fencedAt: true,
      printInterface: true,
    },
  });
  return new Map(rows.map((row) => [row.reference, row]));
}

/** Finds known references with more than one live order, or with a live order that has an unexpected ID. */
async function checkKnownOrders(
  scope: AuditScope,
  shown: ReadonlyMap<string, ShownOrder[]>,
  known: ReadonlyMap<string, KnownOrder>,
): Promise<Pick<AuditReport, 'severalOrders' | 'unknownOrders'>> {
  const found: Pick<AuditReport, 'severalOrders' | 'unknownOrders'> = { severalOrders: [], unknownOrders: [] };
  const suspects = [...known.values()].filter((printOrder) => {
    const groups = groupLive(shown.get(printOrder.reference) ?? []);
    return groups.length > 1 || groups.some((group) => isUnknownOrder(scope, printOrder, group, []));
  });
  const references = suspects.map(({ reference }) => reference);
  // Searching by reference also finds orders that were created before the audited days.
  const asked = Map.groupBy(await readOrdersBy(scope, 'orderReferenceIds', references), ({ reference }) => reference);
  for (const printOrder of suspects) {
    const { id, reference } = printOrder;
    const orders = asked.get(reference) ?? [];
    // The next audit reports them.
    if (orders.some(isUnread)) continue;
    const groups = groupLive(orders);
    const ids = groups.flat().map((order) => order.id);
    const parts = await readParts(scope, id);
    if (groups.length > 1) {
      const message = `The print service has ${groups.length} orders under ${reference}: ${ids.join(', ')}.`;
      await holdPrintOrderOnce(scope, id, { code: 'several_orders', message, ids });
      found.severalOrders.push(reference);
    } else if (groups.some((group) => isUnknownOrder(scope, printOrder, group, parts))) {
      const message = `The print service has an order under ${reference} that Platen does not know: ${ids.join(', ')}.`;
      await holdPrintOrderOnce(scope, id, { code: 'unknown_print_order', message, ids });
      found.unknownOrders.push(reference);
    }
  }
  return found;
}

/** Returns whether a live order is under a fenced reference, or is neither the confirmed order nor one of its parts. */
function isUnknownOrder(
  { settledBefore }: AuditScope,
  { serviceOrderId, confirmedAt, fencedAt, printInterface }: KnownOrder,
  group: readonly ShownOrder[],
  parts: readonly string[],
): boolean {
  if (fencedAt !== null) return fencedAt < settledBefore;
  if (confirmedAt === null || confirmedAt >= settledBefore) return false;
  // The earlier interfaces do not return the order's ID, so it cannot be compared.
  if (printInterface !== 'current') return false;
  const shown = group.flatMap(({ id, connectedOrderIds }) => [id, ...connectedOrderIds]);
  return !shown.some((id) => id === serviceOrderId || parts.includes(id));
}

async function readParts({ app }: AuditScope, printOrderId: string): Promise<string[]> {
  const where = { printOrderId, role: In(['chosen', 'part'] as const) };
  const rows = await app.db.manager.find(ServiceOrders, { where, select: { serviceOrderId: true } });
  return rows.map(({ serviceOrderId }) => serviceOrderId);
}

/**
 * Finds confirmed orders that the service neither lists nor finds by ID, and whose reference has no live order
 * (docs/rules/created-once.md#audit).
 */
async function checkMissingOrders(scope: AuditScope, listed: ReadonlySet<string>): Promise<string[]> {
  const missing: string[] = [];
  let after = '0';
  for (;;) {
    const page = await readConfirmedOrders(scope, after);
    const unlisted = page.filter(({ service_order_id: id }) => !listed.has(id));
    const ids = new Set((await readOrdersBy(scope, 'ids', unlisted.map(toServiceId))).map(({ id }) => id));
    const unseen = unlisted.filter(({ service_order_id: id }) => !ids.has(id));
    const byReference = await readOrdersBy(scope, 'orderReferenceIds', unseen.map(toReference));
    const alive = new Set(byReference.filter(({ isLive }) => isLive).map(toReference));
    for (const { id, reference, service_order_id: serviceOrderId } of unseen) {
      if (alive.has(reference)) continue;
      const message = `The print service no longer shows the order ${serviceOrderId} of ${reference}.`;
      await holdPrintOrderOnce(scope, id, { code: 'order_missing', message, ids: [serviceOrderId] });
      missing.push(reference);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return missing;
    after = last.id;
  }
}

interface ConfirmedOrder {
  id: string;
  reference: string;
  service_order_id: string;
}

const toServiceId = (order: ConfirmedOrder): string => order.service_order_id;
const toReference = ({ reference }: { reference: string }): string => reference;

function readConfirmedOrders(
  { app, accountId, since, settledBefore }: AuditScope,
  after: string,
): Promise<ConfirmedOrder[]> {
  return app.db.query(
    `select id, reference, service_order_id from print_orders
     where print_account_id = $1 and print_interface = 'current' and confirmed_at >= $2 and confirmed_at < $3 and id > $4 and service_order_id is not null
       and fenced_at is null and state not in ('canceled', 'failed') order by id limit $5`,
    [accountId, since, settledBefore, after, PAGE],
  );
}

/**
 * Puts the storefront orders of unknown references on hold. An unknown reference has this installation's prefix but no print order in the
 * database. After a restore, the order is rebuilt first, which adds its print orders or puts it on hold.
 */
async function checkUnknownOrders(
  scope: AuditScope,
  references: string[],
): Promise<{ held: string[]; stray: string[] }> {
  const sales = references.length > 0 ? await findOrdersByReference(scope, references) : new Map<string, SoldOrder>();
  for (const [reference, sale] of sales) {
    if (isUnreconciled(sale)) await enqueuePlan(scope.app.db.manager, sale.storefrontOrder.id);
    else await holdUnknownOrder(scope.app, sale.storefrontOrder, reference);
  }
  return { held: [...sales.keys()], stray: references.filter((reference) => !sales.has(reference)) };
}

/**
 * Finds the storefront orders to which unknown references belong. References cannot be decoded, so this function computes the references of
 * all recent storefront orders and compares them.
 */
async function findOrdersByReference(
  { app, accountId, installation, since }: AuditScope,
  references: string[],
): Promise<Map<string, SoldOrder>> {
  const wanted = new Map(references.map((reference) => [toNumberAndDigest(reference), reference]));
  const found = new Map<string, SoldOrder>();
  for (const shop of await app.db.manager.findBy(Shops, { printAccountId: accountId })) {
    let page: StorefrontOrder[] = [];
    do {
      const where = { shopId: shop.id, placedAt: MoreThanOrEqual(since), id: MoreThan(page.at(-1)?.id ?? '0') };
      page = await app.db.manager.find(StorefrontOrders, { where, order: { id: 'ASC' }, take: PAGE });
      for (const sale of page) {
        const known = { shop, storefrontOrder: sale, installation: ofShop(installation, shop) };
        for (const one of nextReferences(known, 'current', { fromFirst: true, count: AHEAD })) {
          const reference = wanted.get(toNumberAndDigest(one.reference));
          if (reference !== undefined) found.set(reference, known);
        }
      }
    } while (page.length === PAGE && found.size < wanted.size);
  }
  return found;
}

/** Returns the end of a reference, which identifies the order. The order number before it only helps readers. */
const toNumberAndDigest = (reference: string): string => reference.split('-').slice(2).join('-');

/** Opens a hold without changing the print order's state, so that work in progress continues. */
async function holdPrintOrderOnce(
  { app }: AuditScope,
  id: string,
  { code, message, ids }: { code: HoldCode; message: string; ids: string[] },
): Promise<void> {
  await app.db.transaction(async (manager) => {
    const printOrder = await manager.findOne(PrintOrders, { where: { id }, lock: { mode: 'for_no_key_update' } });
    if (!printOrder || (code === 'unknown_print_order' && (await wasResolved(manager, printOrder, message)))) return;
    await openHoldWithEntry(manager, printOrder, { code, message, data: { ids } });
  });
}

/** Returns whether someone has resolved a hold with this message. If the print order is fenced, only holds resolved since then count. */
function wasResolved(manager: EntityManager, { id, fencedAt }: PrintOrder, message: string): Promise<boolean> {
  const code: HoldCode = 'unknown_print_order';
  const resolvedAt = fencedAt === null ? Not(IsNull()) : MoreThan(fencedAt);
  return manager.existsBy(Holds, { printOrderId: id, code, message, resolvedAt });
}
