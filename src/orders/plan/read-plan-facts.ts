import { createHmac } from 'node:crypto';
import { In, IsNull, type EntityManager, type ObjectLiteral } from 'typeorm';
import {
  OrderLines,
  PrintedLines,
  type OrderLine,
  type PrintedLine,
  type StorefrontOrder,
} from '../../database/orders.ts';
import {
  PrintOrderLines,
  PrintOrders,
  SubmitAttempts,
  type PrintOrder,
  type PrintOrderLine,
  type SubmitAttempt,
} from '../../database/print-orders.ts';
import { matchPrintLinks, toTargets } from '../../database/find-print-links.ts';
import { PrintLinks, VariantConnections, type PrintLink } from '../../database/products.ts';
import { OtherAppStores, type Shop } from '../../database/shops.ts';
import { hydrateRows } from '../rows/hydrate-rows.ts';
import { isEnded } from '../follow/service-trouble.ts';
import type { PlanInput } from './plan.ts';
import { readDeletedVariants } from './read-deleted-variants.ts';
import { readUnlinked } from './read-unlinked.ts';
import { toLinkKey } from './store-quantities.ts';
import type { StoreReading } from './store-reading.ts';

/** A print order with what the plan must know of it. */
export interface KnownPrint {
  printOrder: PrintOrder;
  lines: PrintOrderLine[];
  attempts: SubmitAttempt[];
}

/** Our own rows of one storefront order. */
export interface OwnRows {
  orderLines: OrderLine[];
  prints: KnownPrint[];
}

/** Reads our rows of an order: before the store is read, and again in the plan's transaction. */
export async function readOwnRows(manager: EntityManager, storefrontOrderId: string): Promise<OwnRows> {
  const orderLines = await manager.find(OrderLines, { where: { storefrontOrderId } });
  const printOrders = await manager.find(PrintOrders, { where: { storefrontOrderId }, order: { part: 'ASC' } });
  const ids = printOrders.map(({ id }) => id);
  const lines =
    ids.length > 0
      ? await manager.find(PrintOrderLines, { where: { printOrderId: In(ids) }, order: { id: 'ASC' } })
      : [];
  const attempts =
    ids.length > 0
      ? await manager.find(SubmitAttempts, { where: { printOrderId: In(ids) }, order: { attempt: 'ASC' } })
      : [];
  const prints = printOrders.map((printOrder) => ({
    printOrder,
    lines: lines.filter((line) => line.printOrderId === printOrder.id),
    attempts: attempts.filter((attempt) => attempt.printOrderId === printOrder.id),
  }));
  return { orderLines, prints };
}

/** Whether two readings of our rows would count the same prints. */
export function sameRows(a: OwnRows, b: OwnRows): boolean {
  const sign = (rows: OwnRows): string =>
    JSON.stringify(
      rows.prints.map(({ printOrder, lines }) => [
        printOrder.id,
        printOrder.closedAt,
        printOrder.fencedAt,
        printOrder.confirmStartedAt,
        printOrder.printAgainAt,
        lines.map(({ quantity, unitsAgain, printAgainAt }) => [quantity, unitsAgain, printAgainAt]),
      ]),
    );
  return sign(a) === sign(b);
}

const HARMLESS = new Set(['refused', 'account_refused', 'nothing_made', 'absent']);

/** Whether nothing of a print order can be printed yet, so that another may still take its place once it is fenced. */
export function isReplaceable(print: KnownPrint): boolean {
  // What a person changed in its draft is not taken from under their hands.
  return isUnsent(print) && print.printOrder.draftEdit === null && print.printOrder.acceptedDraftEdit === null;
}

/** Whether nothing of a print order can be printed yet, and nobody has closed or cancelled it. */
export function isUnsent({ printOrder, attempts }: KnownPrint): boolean {
  if (printOrder.closedAt !== null || printOrder.confirmStartedAt !== null || printOrder.cancelRequestedAt !== null)
    return false;
  if (printOrder.printAgainAt !== null) return false;
  if (!['planned', 'quoted', 'submitting', 'uncertain', 'held'].includes(printOrder.state)) return false;
  if (printOrder.submitWay === 'draft') return printOrder.confirmedAt === null;
  return attempts.every(({ outcome }) => outcome !== null && HARMLESS.has(outcome));
}

/** The facts of the plan that the database holds: links, connections, earlier decisions, prints that count. */
export async function readPlanFacts(
  manager: EntityManager,
  shop: Shop,
  order: StoreReading,
  rows: OwnRows,
  lineVariants: StorefrontOrder['lineVariants'],
): Promise<
  Pick<
    PlanInput,
    'links' | 'connections' | 'deletedVariants' | 'notOurs' | 'unlinked' | 'asked' | 'wasOurs' | 'prints' | 'requested'
  > & { anotherAppPrints: boolean }
> {
  const { links, connections, printed } = await readLineFacts(manager, shop, order);
  const notOurs = new Map(
    rows.orderLines
      .filter(({ decision }) => decision === 'not_ours')
      .map((line) => [line.shopifyLineItemId, line.reason ?? '']),
  );
  const keptVariants = { ...variantsOfRows(rows), ...lineVariants };
  const unlinked = order.lineItems.filter((line) => {
    const isKnown = links.has(toLinkKey(line)) || connections.has(line.variant?.id ?? '') || notOurs.has(line.id);
    return line.requiresShipping && !line.isGiftCard && !isKnown;
  });
  return {
    links,
    connections,
    deletedVariants: await readDeletedVariants(manager, shop, order.lineItems, keptVariants),
    notOurs,
    unlinked: await readUnlinked(manager, shop, unlinked, keptVariants),
    asked: new Set(
      rows.orderLines.filter(({ reason }) => reason === 'not_linked').map((line) => line.shopifyLineItemId),
    ),
    wasOurs: new Set(rows.prints.flatMap(({ lines }) => lines.map((line) => line.shopifyLineItemId))),
    requested: new Map(rows.orderLines.map(({ shopifyLineItemId, requested }) => [shopifyLineItemId, requested])),
    prints: [...countedPrints(shop, rows), ...forgottenPrints(printed, order, rows)],
    anotherAppPrints: await manager.existsBy(OtherAppStores, { shopId: shop.id, allowedAt: IsNull() }),
  };
}

interface LineFacts {
  /** By the key of a line. */
  links: Map<string, PrintLink>;
  connections: PlanInput['connections'];
  printed: PrintedLine[];
}

/** What is known of the order's lines beside the order itself, in one statement. */
async function readLineFacts(manager: EntityManager, shop: Shop, order: StoreReading): Promise<LineFacts> {
  const lines = order.lineItems.map((line) => ({ id: toLinkKey(line), sku: line.sku }));
  const { ids, skus } = toTargets(lines);
  const variantIds = order.lineItems.flatMap(({ variant }) => variant?.id ?? []);
  const hashes = order.lineItems.map(({ id }) => hashLineItem(id));
  const { connection: db } = manager;
  const [row]: { links: ObjectLiteral[]; connections: ObjectLiteral[]; printed: ObjectLiteral[] }[] = await db.query(
    LINE_FACTS,
    [shop.id, ids, skus, variantIds, hashes],
  );
  const { links = [], connections = [], printed = [] } = row ?? {};
  const found = hydrateRows(db, VariantConnections, connections);
  return {
    links: matchPrintLinks(hydrateRows(db, PrintLinks, links), lines),
    connections: new Map(found.map(({ shopifyVariantId, status }) => [shopifyVariantId, status])),
    printed: hydrateRows(db, PrintedLines, printed),
  };
}

const LINE_FACTS = `
  select
    (select coalesce(json_agg(l), '[]') from print_links l where l.shop_id = $1
       and (l.shopify_variant_id = any($2::text[]) or (l.shopify_variant_id is null and l.sku = any($3::text[])))) as links,
    (select coalesce(json_agg(c), '[]') from variant_connections c
       where c.shop_id = $1 and c.shopify_variant_id = any($4::text[])) as connections,
    (select coalesce(json_agg(p), '[]') from printed_lines p where p.line_item_hash = any($5::text[])) as printed`;

/** What earlier plans kept of lines, also those of a release that knew no `line_variants`. */
function variantsOfRows({ orderLines }: OwnRows): StorefrontOrder['lineVariants'] {
  return Object.fromEntries(
    orderLines.flatMap(({ shopifyLineItemId, shopifyVariantId }) =>
      shopifyVariantId === null ? [] : [[shopifyLineItemId, shopifyVariantId]],
    ),
  );
}

function countedPrints({ installedAt }: Shop, rows: OwnRows): PlanInput['prints'] {
  return rows.prints
    .filter(({ printOrder }) => printOrder.fencedAt === null && printOrder.printAgainAt === null)
    .flatMap((print) =>
      print.lines
        .filter(({ printAgainAt }) => printAgainAt === null)
        .map(({ shopifyLineItemId, quantity, unitsAgain, fulfilledBefore }) => ({
          shopifyLineItemId,
          quantity: quantity - unitsAgain,
          fulfilledBefore,
          shopifyFulfillmentOrderId: print.printOrder.shopifyFulfillmentOrderId,
          isReplaceable: isReplaceable(print),
          isEditedDraft: isUnsent(print) && !isReplaceable(print),
          isEnded: isEnded(print.printOrder.state),
          isOfThisInstall: print.printOrder.createdAt >= installedAt,
        })),
    );
}

const FORGOTTEN = {
  fulfilledBefore: 0,
  shopifyFulfillmentOrderId: null,
  isReplaceable: false,
  isEnded: true,
  isOfThisInstall: false,
};

/** Units printed by an earlier installation whose rows are gone: they count from the first unit on. */
function forgottenPrints(printed: readonly PrintedLine[], order: StoreReading, rows: OwnRows): PlanInput['prints'] {
  const byHash = new Map(order.lineItems.map(({ id }) => [hashLineItem(id), id]));
  return printed.flatMap(({ lineItemHash, quantity }) => {
    const shopifyLineItemId = byHash.get(lineItemHash) ?? '';
    const known = rows.prints
      .filter(({ printOrder }) => printOrder.confirmStartedAt !== null && printOrder.fencedAt === null)
      .flatMap(({ lines }) => lines)
      .filter((line) => line.shopifyLineItemId === shopifyLineItemId)
      .reduce((sum, line) => sum + line.quantity, 0);
    return quantity > known ? [{ ...FORGOTTEN, shopifyLineItemId, quantity: quantity - known }] : [];
  });
}

/** What outlives an order of its line: a hash that names it only to who knows the LineItem's id. */
export function hashLineItem(shopifyLineItemId: string): string {
  return createHmac('sha256', 'platen printed line').update(shopifyLineItemId).digest('hex');
}
