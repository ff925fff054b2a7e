import { type EntityManager, IsNull, type ObjectLiteral } from 'typeorm';
import { type PrintedLine, PrintedLines, type StorefrontOrder } from '../../../database/entities/orders.ts';
import { matchPrintLinks, toLookupKeys } from '../../../database/find-print-links.ts';
import { PrintLinks, VariantConnections, type PrintLink } from '../../../database/entities/products.ts';
import { OtherAppStores, type Shop } from '../../../database/entities/shops.ts';
import { hydrateRows } from '../../rows/hydrate-rows.ts';
import { isStateIn } from '../../facts/order-state.ts';
import type { PlanInput } from '../decide/plan.ts';
import { readDeletedVariants } from './read-deleted-variants.ts';
import { readUnlinkedFacts } from './read-unlinked-facts.ts';
import { toLinkKey } from '../../facts/store-quantities.ts';
import type { StoreReading } from '../../facts/store-reading.ts';
import type { OwnRows } from '../../rows/own-rows.ts';
import { hashLineItem } from '../../facts/hash-line-item.ts';
import { isReplaceable, isUnsent, isSuperseded } from '../../facts/print-order-predicates.ts';

/** Reads the plan's facts from the database: links, connections, earlier decisions and print orders that count as printed. */
export async function readPlanFacts(
  manager: EntityManager,
  shop: Shop,
  order: StoreReading,
  rows: OwnRows,
  lineVariants: StorefrontOrder['lineVariants'],
): Promise<
  Pick<
    PlanInput,
    | 'links'
    | 'connections'
    | 'deletedVariants'
    | 'notOurs'
    | 'unlinked'
    | 'asked'
    | 'wasOurs'
    | 'prints'
    | 'requested'
    | 'hasUnknownOrder'
  > & { anotherAppPrints: boolean }
> {
  const { links, connections, printed, hasUnknownOrder } = await readLineFacts(manager, shop, order);
  const notOurs = new Map(
    rows.orderLines
      .filter(({ decision }) => decision === 'not_ours')
      .map((line) => [line.shopifyLineItemId, line.reason ?? '']),
  );
  const unlinked = order.lineItems.filter((line) => {
    const isKnown = links.has(toLinkKey(line)) || connections.has(line.variant?.id ?? '') || notOurs.has(line.id);
    return line.requiresShipping && !line.isGiftCard && !isKnown;
  });
  return {
    links,
    connections,
    hasUnknownOrder,
    deletedVariants: await readDeletedVariants(manager, shop, order.lineItems, lineVariants),
    notOurs,
    unlinked: await readUnlinkedFacts(manager, shop, unlinked, lineVariants),
    asked: new Set(
      rows.orderLines.filter(({ reason }) => reason === 'not_linked').map((line) => line.shopifyLineItemId),
    ),
    wasOurs: new Set(rows.prints.flatMap(({ lines }) => lines.map((line) => line.shopifyLineItemId))),
    requested: new Map(rows.orderLines.map(({ shopifyLineItemId, requested }) => [shopifyLineItemId, requested])),
    prints: [...toCountedPrints(shop, rows), ...toForgottenPrints(countForgottenUnits(printed, order, rows))],
    anotherAppPrints: await manager.existsBy(OtherAppStores, { shopId: shop.id, allowedAt: IsNull() }),
  };
}

interface LineFacts {
  /** By the key from `toLinkKey`. */
  links: Map<string, PrintLink>;
  connections: PlanInput['connections'];
  printed: PrintedLine[];
  hasUnknownOrder: boolean;
}

/** Reads stored facts about an order's lines in one statement. */
async function readLineFacts(manager: EntityManager, shop: Shop, order: StoreReading): Promise<LineFacts> {
  const lines = order.lineItems.map((line) => ({ id: toLinkKey(line), sku: line.sku }));
  const { ids, skus } = toLookupKeys(lines);
  const variantIds = order.lineItems.flatMap(({ variant }) => variant?.id ?? []);
  const hashes = order.lineItems.map(({ id }) => hashLineItem(id));
  const { connection: db } = manager;
  const [row]: { links: ObjectLiteral[]; connections: ObjectLiteral[]; printed: ObjectLiteral[]; isHeld: boolean }[] =
    await db.query(LINE_FACTS, [shop.id, ids, skus, variantIds, hashes, order.id]);
  const { links = [], connections = [], printed = [], isHeld = false } = row ?? {};
  const found = hydrateRows(db, VariantConnections, connections);
  return {
    links: matchPrintLinks(hydrateRows(db, PrintLinks, links), lines),
    connections: new Map(found.map(({ shopifyVariantId, status }) => [shopifyVariantId, status])),
    printed: hydrateRows(db, PrintedLines, printed),
    hasUnknownOrder: isHeld,
  };
}

const LINE_FACTS = `
  select
    (select coalesce(json_agg(l), '[]') from print_links l where l.shop_id = $1
       and (l.shopify_variant_id = any($2::text[]) or (l.shopify_variant_id is null and l.sku = any($3::text[])))) as links,
    (select coalesce(json_agg(c), '[]') from variant_connections c
       where c.shop_id = $1 and c.shopify_variant_id = any($4::text[])) as connections,
    (select coalesce(json_agg(p), '[]') from printed_lines p where p.line_item_hash = any($5::text[])) as printed,
    exists (select from holds h join storefront_orders o on o.id = h.storefront_order_id
      where o.shop_id = $1 and o.shopify_order_id = $6 and h.code = 'unknown_print_order' and h.print_order_id is null
        and h.resolved_at is null) as "isHeld"`;

function toCountedPrints({ installedAt }: Shop, rows: OwnRows): PlanInput['prints'] {
  return rows.prints
    .filter(({ printOrder }) => !isSuperseded(printOrder))
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
          isEnded: isStateIn(print.printOrder.state, 'ended'),
          isOfThisInstall: print.printOrder.createdAt >= installedAt,
        })),
    );
}

/** Counts the units, by LineItem, that an earlier installation printed and whose rows no longer exist. */
export function countForgottenUnits(
  printed: readonly PrintedLine[],
  order: Pick<StoreReading, 'lineItems'>,
  rows: OwnRows,
): Map<string, number> {
  const byHash = new Map(order.lineItems.map(({ id }) => [hashLineItem(id), id]));
  const known = (lineItemId: string): number =>
    rows.prints
      .filter(({ printOrder }) => printOrder.confirmStartedAt !== null && printOrder.fencedAt === null)
      .flatMap(({ lines }) => lines)
      .filter((line) => line.shopifyLineItemId === lineItemId)
      .reduce((sum, line) => sum + line.quantity, 0);
  return new Map(
    printed.flatMap(({ lineItemHash, quantity }) => {
      const lineItemId = byHash.get(lineItemHash) ?? '';
      const units = quantity - known(lineItemId);
      return units > 0 ? [[lineItemId, units]] : [];
    }),
  );
}

const FORGOTTEN = {
  fulfilledBefore: 0,
  shopifyFulfillmentOrderId: null,
  isReplaceable: false,
  isEnded: true,
  isForgotten: true,
  isOfThisInstall: false,
};

/** Returns the forgotten units as print orders. They count as planned before any unit was fulfilled. */
function toForgottenPrints(units: ReadonlyMap<string, number>): PlanInput['prints'] {
  return [...units].map(([shopifyLineItemId, quantity]) => ({ ...FORGOTTEN, shopifyLineItemId, quantity }));
}
