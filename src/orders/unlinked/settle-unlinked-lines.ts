import type { App } from '../../app.ts';
import { SPACES } from '../../database/find-print-links.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import type { UnlinkedDecision } from '../../jobs/tasks.ts';
import type { LinkTarget } from '../../products/links/parse-link.ts';
import { unlinkedLinesSql } from './unlinked-lines-sql.ts';
import { enqueueSettleUnlinked } from '../../products/links/enqueue-plan-linked.ts';

/** A dry run lists at most this many orders, oldest first, but counts all of them. */
const MAX_LISTED = 500;

/** A decision about orders with unlinked lines. */
export interface UnlinkedRequest {
  word: UnlinkedDecision['word'];
  /** The variant or SKU whose lines the decision covers, or null for all lines that are linked now. */
  target: LinkTarget | null;
  isDryRun: boolean;
  by: UnlinkedDecision['by'];
}

/** The orders that a decision covers. */
export interface SettledUnlinked {
  dryRun: boolean;
  orders: number;
  units: number;
  /** When the oldest order was placed, or null if there are no orders. */
  since: string | null;
  /** The orders that a dry run lists, oldest first and at most 500. */
  found: { orderId: string; name: string; placedAt: string; lines: { sku: string | null; quantity: number }[] }[];
}

/**
 * Prints lines that were waiting for the print link of a variant or SKU, or leaves the lines to the merchant. Each order is planned by a
 * job in the order's queue, so that each unit is counted once. A dry run lists the orders and changes nothing. Throws NotPossibleError if
 * the lines should be printed but have no print link.
 */
export async function settleUnlinkedLines(
  app: App,
  shop: Pick<Shop, 'id'>,
  asked: UnlinkedRequest,
): Promise<SettledUnlinked> {
  const { word, target, isDryRun, by } = asked;
  const selected = [shop.id, SPACES, target?.shopifyVariantId ?? null, target?.sku ?? null];
  // Lines of a given variant or SKU can be left to the merchant even without a link.
  const needsLink = word === 'print' || target === null;
  const count = await readCount(app, [...selected, needsLink]);
  if (word === 'print' && target !== null && count.orders === 0) await refuseUnlinked(app, [...selected, false]);
  const found = isDryRun ? await readFound(app, [...selected, needsLink, MAX_LISTED]) : [];
  if (!isDryRun && count.orders > 0) await enqueueSettleUnlinked(app.db, shop.id, { word, by, ...target });
  return { dryRun: isDryRun, ...count, since: count.since?.toISOString() ?? null, found };
}

/** Counts the orders that were waiting for a print link that now exists. Returns null if there are no such orders. */
export async function findWaitingOrders(
  app: App,
  shop: Pick<Shop, 'id'>,
  target: LinkTarget | null,
): Promise<{ orders: number; since: string } | null> {
  const { shopifyVariantId = null, sku = null } = target ?? {};
  const { orders, since } = await readCount(app, [shop.id, SPACES, shopifyVariantId, sku, true]);
  return since === null ? null : { orders, since: since.toISOString() };
}

interface Count {
  orders: number;
  units: number;
  since: Date | null;
}

async function readCount(app: App, parameters: unknown[]): Promise<Count> {
  const [count = { orders: 0, units: 0, since: null }]: Count[] = await app.db.query(COUNT, parameters);
  return count;
}

async function refuseUnlinked(app: App, parameters: unknown[]): Promise<void> {
  const { orders } = await readCount(app, parameters);
  if (orders === 0) return;
  const message =
    'The variant or SKU has no print link yet. Link it to a print product, then print the waiting orders.';
  throw new NotPossibleError('not_linked', message);
}

async function readFound(app: App, parameters: unknown[]): Promise<SettledUnlinked['found']> {
  const rows: (Omit<SettledUnlinked['found'][number], 'placedAt'> & { placedAt: Date })[] = await app.db.query(
    FOUND,
    parameters,
  );
  return rows.map(({ placedAt, ...order }) => ({ ...order, placedAt: placedAt.toISOString() }));
}

/** SQL: selects lines from `u` by variant ($3) or SKU ($4). If $5 is true, selects only lines that are linked now. */
export const IS_LINE_SELECTED = `($3::text is null or u.shopify_variant_id = $3)
  and ($3::text is not null or $4::text is null or u.sku = $4)
  and (u.linked or not $5::boolean)`;

const COUNT = `
  ${unlinkedLinesSql('$2')}
  select count(distinct storefront_order_id)::int as orders, coalesce(sum(units), 0)::int as units, min(placed_at) as since
  from u where ${IS_LINE_SELECTED}`;

const FOUND = `
  ${unlinkedLinesSql('$2')}
  select shopify_order_id as "orderId", name, placed_at as "placedAt",
    jsonb_agg(jsonb_build_object('sku', sku, 'quantity', units) order by shopify_line_item_id) as lines
  from u where ${IS_LINE_SELECTED}
  group by storefront_order_id, shopify_order_id, name, placed_at order by placed_at, storefront_order_id limit $6`;
