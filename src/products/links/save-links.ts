import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { LinkSource } from '../../database/entities/products.ts';
import { enqueueConnectionUpdate } from '../connection-metafields/enqueue-connection-update.ts';
import { enqueueCheckLinks } from './enqueue-check-links.ts';
import { enqueuePlanLinked } from './enqueue-plan-linked.ts';
import type { LinkToSave, LinkValues } from './parse-link.ts';
import { enqueueCatchUpStock, enqueueSyncVariants, enqueueReadNewVariants } from '../../shops/enqueue-shop-jobs.ts';

/** How many links were saved, by result. */
export interface SavedCount {
  created: number;
  changed: number;
  /** Number of links that were already saved with the same values. */
  unchanged: number;
}

/** Maximum number of links in one statement. */
const BATCH = 2_000;

const COLUMNS: Record<keyof LinkValues, string> = {
  productUid: 'product_uid',
  fileUrl: 'file_url',
  pageCount: 'page_count',
  envelopeProductUid: 'envelope_product_uid',
  envelopesPerPiece: 'envelopes_per_piece',
};
const allValues = Object.keys(COLUMNS) as (keyof LinkValues)[];

/**
 * Saves a shop's print links in the caller's transaction. Each target may occur only once. In an existing link, only the given `values` are
 * replaced, by default all of them. A variant without a connection becomes connected. Existing connections remain, so an ignored variant is
 * still shipped by the merchant. Jobs then replan the orders that were held because a link was missing, and no other orders. For new and
 * changed links, jobs check the link, read the stock and update the variant in the store. A link saved by a person belongs to the merchant
 * from then on, and a link from metafields (`source`) never replaces it. Needs one or two statements for every 2,000 links.
 */
export async function saveLinks(
  app: App,
  manager: EntityManager,
  { id: shopId }: { id: number },
  links: readonly LinkToSave[],
  values: readonly (keyof LinkValues)[] = allValues,
  source: LinkSource = 'merchant',
): Promise<SavedCount> {
  const count = { created: 0, changed: 0 };
  for (const { batch, isBySku } of toBatches(links)) {
    const [saved]: { created: number; changed: number }[] = await manager.query(
      isBySku ? saveBySku(values) : saveByVariant(values),
      [shopId, JSON.stringify(batch), app.clock.now(), source],
    );
    if (source === 'merchant') await manager.query(markAsOwnSql(isBySku), [shopId, JSON.stringify(batch), source]);
    count.created += saved?.created ?? 0;
    count.changed += saved?.changed ?? 0;
  }
  if (links.length > 0) {
    await enqueuePlanLinked(manager, shopId);
    await enqueueConnectionUpdate(manager, shopId);
    await enqueueReadNewVariants(manager, shopId);
  }
  if (count.created + count.changed > 0) {
    await enqueueCheckLinks(manager, { shopId });
    await enqueueCatchUpStock(manager, shopId);
    await enqueueSyncVariants(manager, shopId);
  }
  return { ...count, unchanged: links.length - count.created - count.changed };
}

/** The effect of saving a link. */
export type LinkChange = keyof SavedCount;

/** Determines whether `saveLinks` would create, change or leave each link unchanged. Writes nothing. */
export async function findChanges(
  manager: EntityManager,
  { id: shopId }: { id: number },
  links: readonly LinkToSave[],
  values: readonly (keyof LinkValues)[] = allValues,
): Promise<Map<LinkToSave, LinkChange>> {
  const changes = new Map<LinkToSave, LinkChange>();
  for (const { batch, isBySku } of toBatches(links)) {
    const found: { change: LinkChange }[] = await manager.query(
      `select case when l.id is null then 'created' when ${differsSql(values, 'l', 'g')} then 'changed' else 'unchanged' end as change
       from ${GIVEN_IN_ORDER} left join print_links l on l.shop_id = $1 and ${isBySku ? SAME_SKU : SAME_VARIANT} order by g.at`,
      [shopId, JSON.stringify(batch)],
    );
    for (const [index, link] of batch.entries()) {
      const change = found[index]?.change;
      if (change) changes.set(link, change);
    }
  }
  return changes;
}

/** Counts the links by the effect that `saveLinks` would have on them. Writes nothing. */
export async function countChanges(
  manager: EntityManager,
  shop: { id: number },
  links: readonly LinkToSave[],
): Promise<SavedCount> {
  return toCount(await findChanges(manager, shop, links));
}

/** Counts changes by kind. */
export function toCount(changes: ReadonlyMap<LinkToSave, LinkChange>): SavedCount {
  const count = { created: 0, changed: 0, unchanged: 0 };
  for (const change of changes.values()) count[change] += 1;
  return count;
}

const SAME_VARIANT = 'l.shopify_variant_id = g."shopifyVariantId"';
const SAME_SKU = 'l.shopify_variant_id is null and l.sku = g.sku';

const COLUMNS_OF_GIVEN = `"shopifyVariantId" text, sku text, "productUid" text, "fileUrl" text, "pageCount" int,
  "envelopeProductUid" text, "envelopesPerPiece" int`;
const GIVEN = `jsonb_to_recordset($2::jsonb) as g (${COLUMNS_OF_GIVEN})`;
/** An SQL table of the given links. The column `at` contains each link's position, from 1. */
const GIVEN_IN_ORDER = `rows from (jsonb_to_recordset($2::jsonb) as (${COLUMNS_OF_GIVEN}))
  with ordinality as g ("shopifyVariantId", sku, "productUid", "fileUrl", "pageCount", "envelopeProductUid", "envelopesPerPiece", at)`;

const INSERT_LINKS = `insert into print_links as l
    (shop_id, shopify_variant_id, sku, product_uid, file_url, page_count, envelope_product_uid, envelopes_per_piece, source, check_at, created_at, updated_at)
  select $1, "shopifyVariantId", sku, "productUid", "fileUrl", "pageCount", "envelopeProductUid", "envelopesPerPiece", $4, $3, $3, $3 from given`;

/** Links from metafields do not replace links that a person has saved. */
const MAY_REPLACE = `($4 = 'merchant' or l.source = 'metafields')`;

/** Marks links that a person saves unchanged as the merchant's own. */
const markAsOwnSql = (isBySku: boolean): string => `
  update print_links l set source = $3 from ${GIVEN} where l.shop_id = $1 and l.source <> $3 and ${isBySku ? SAME_SKU : SAME_VARIANT}`;

const COUNT_SAVED = `select count(*) filter (where is_new)::int as created, count(*) filter (where not is_new)::int as changed from saved`;

/** `xmax` is 0 for an inserted row, and not 0 for an updated row. */
const saveByVariant = (values: readonly (keyof LinkValues)[]): string => `
  with given as (select * from ${GIVEN}),
  saved as (${INSERT_LINKS} on conflict (shop_id, shopify_variant_id) do update
    set ${toAssignments(values)}, sku = coalesce(excluded.sku, l.sku), source = $4, check_at = $3, updated_at = $3
      where ${differsSql(values, 'l', 'excluded')} and ${MAY_REPLACE}
    returning l.xmax = 0 as is_new),
  connected as (insert into variant_connections (shop_id, shopify_variant_id, status, updated_at)
    select $1, "shopifyVariantId", 'connected', $3 from given on conflict do nothing)
  ${COUNT_SAVED}`;

const saveBySku = (values: readonly (keyof LinkValues)[]): string => `
  with given as (select * from ${GIVEN}),
  saved as (${INSERT_LINKS} on conflict (shop_id, sku) where shopify_variant_id is null do update
    set ${toAssignments(values)}, source = $4, check_at = $3, updated_at = $3 where ${differsSql(values, 'l', 'excluded')} and ${MAY_REPLACE}
    returning l.xmax = 0 as is_new)
  ${COUNT_SAVED}`;

function toAssignments(values: readonly (keyof LinkValues)[]): string {
  return values.map((value) => `${COLUMNS[value]} = excluded.${COLUMNS[value]}`).join(', ');
}

/**
 * Returns an SQL condition for a stored link that differs from the link to save. `g` is a row of the given links, whose columns have the
 * names of the fields. `excluded` is PostgreSQL's row for an insert, whose columns have the names in the database. A stored SKU does not
 * count as different if the given link has no SKU.
 */
function differsSql(values: readonly (keyof LinkValues)[], row: string, other: 'g' | 'excluded'): string {
  const theirs = values.map((value) => (other === 'g' ? `g."${value}"` : `excluded.${COLUMNS[value]}`));
  const ours = values.map((value) => `${row}.${COLUMNS[value]}`);
  return `((${ours.join(', ')}, ${row}.sku) is distinct from (${theirs.join(', ')}, coalesce(${other}.sku, ${row}.sku)))`;
}

/**
 * Splits links into batches by variant and by SKU. Batches are sorted, so that parallel saves of the same links wait for each other and do
 * not deadlock.
 */
function* toBatches(links: readonly LinkToSave[]): Generator<{ batch: LinkToSave[]; isBySku: boolean }> {
  const keyOf = ({ shopifyVariantId, sku }: LinkToSave): string => shopifyVariantId ?? sku ?? '';
  for (const isBySku of [false, true]) {
    const sorted = links
      .filter(({ shopifyVariantId }) => (shopifyVariantId === null) === isBySku)
      .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    for (let start = 0; start < sorted.length; start += BATCH)
      yield { batch: sorted.slice(start, start + BATCH), isBySku };
  }
}
