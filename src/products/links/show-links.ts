import type { EntityManager } from 'typeorm';
import type { PrintLink } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { findLink } from './find-link.ts';
import type { LinkTarget, LinkValues } from './parse-link.ts';

/** A print link as the command line and the API show it. */
export interface ShownLink extends LinkValues, Pick<PrintLink, 'sku' | 'source'> {
  /** Null if the link applies to every variant with the SKU that has no print link of its own. */
  variantId: string | null;
  /** The problems that the last check found. A variant that no longer exists in the store is a problem even before the link is checked. */
  problems: PrintLink['problems'];
  /** ISO 8601. Null if the current values have not been checked yet. */
  checkedAt: string | null;
  /** ISO 8601. */
  updatedAt: string;
}

const VARIANT_DELETED = {
  code: 'variant_deleted',
  field: 'variantId',
  message: 'Your store does not have this variant, so nobody can order it.',
  remedy: 'Check the ID. If another variant has replaced this one, link that variant instead. Then delete this link.',
};

/** Converts a shop's print links for display, in the given order. */
export async function showLinks(
  queryable: Queryable,
  { id: shopId }: Pick<Shop, 'id'>,
  links: readonly PrintLink[],
): Promise<ShownLink[]> {
  const ids = links.flatMap(({ shopifyVariantId }) => shopifyVariantId ?? []);
  const deleted = (await queryable.query(DELETED_VARIANTS, [shopId, ids])) as { id: string }[];
  const deletedIds = new Set<string | null>(deleted.map(({ id }) => id));
  return links.map((link) => {
    const shown = toShownLink(link);
    return deletedIds.has(shown.variantId) ? { ...shown, problems: [VARIANT_DELETED, ...shown.problems] } : shown;
  });
}

/** Finds a target's print link and converts it for display. Throws NotFoundError. */
export async function showLink(manager: EntityManager, shop: Pick<Shop, 'id'>, target: LinkTarget): Promise<ShownLink> {
  const link = await findLink(manager, shop, target);
  const [shown = toShownLink(link)] = await showLinks(manager, shop, [link]);
  return shown;
}

function toShownLink(link: PrintLink): ShownLink {
  const { shopifyVariantId: variantId, sku, productUid, fileUrl, pageCount, updatedAt } = link;
  const { envelopeProductUid, envelopesPerPiece } = link;
  const values = { productUid, fileUrl, pageCount, envelopeProductUid, envelopesPerPiece };
  const isOutdated = link.checkedAt === null || link.checkedAt < updatedAt;
  const check = isOutdated
    ? { problems: [], checkedAt: null }
    : { problems: link.problems, checkedAt: link.checkedAt?.toISOString() ?? null };
  return { variantId, sku, ...values, source: link.source, ...check, updatedAt: updatedAt.toISOString() };
}

const DELETED_VARIANTS = `
  select shopify_variant_id as id from variant_connections
  where shop_id = $1 and shopify_variant_id = any($2::text[]) and deleted_in_store_at is not null`;
