import type { EntityManager } from 'typeorm';
import type { PrintLink } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { findLink } from './find-link.ts';
import type { LinkTarget, LinkValues } from './parse-link.ts';

/** A print link as the command line and the API show it. */
export interface ShownLink extends LinkValues, Pick<PrintLink, 'sku' | 'source'> {
  /** null: it holds for every variant of the SKU that has no print link of its own. */
  variantId: string | null;
  /** What its last check found wrong, and that its variant is gone from the store; empty before either was looked at. */
  problems: PrintLink['problems'];
  /** ISO 8601; null: its values were not checked yet. */
  checkedAt: string | null;
  /** ISO 8601. */
  updatedAt: string;
}

const VARIANT_DELETED = {
  code: 'variant_deleted',
  field: 'variantId',
  message: 'Your store does not have this variant: nothing can be ordered of it.',
  remedy:
    'Look whether its id is right. If another variant has taken its place, copy the link to that one ("platen links copy"); then take this one away ("platen links delete").',
};

/** Print links of a shop as they are shown, in their order. */
export async function showLinks(
  queryable: Queryable,
  { id: shopId }: Pick<Shop, 'id'>,
  links: readonly PrintLink[],
): Promise<ShownLink[]> {
  const ids = links.flatMap(({ shopifyVariantId }) => shopifyVariantId ?? []);
  const gone = (await queryable.query(GONE, [shopId, ids])) as { id: string }[];
  const goneIds = new Set<string | null>(gone.map(({ id }) => id));
  return links.map((link) => {
    const shown = toShownLink(link);
    return goneIds.has(shown.variantId) ? { ...shown, problems: [VARIANT_DELETED, ...shown.problems] } : shown;
  });
}

/** The print link of a target as it is shown. Throws NotFoundError. */
export async function showLink(manager: EntityManager, shop: Pick<Shop, 'id'>, target: LinkTarget): Promise<ShownLink> {
  const link = await findLink(manager, shop, target);
  const [shown = toShownLink(link)] = await showLinks(manager, shop, [link]);
  return shown;
}

function toShownLink(link: PrintLink): ShownLink {
  const { shopifyVariantId: variantId, sku, productUid, fileUrl, pageCount, updatedAt } = link;
  const { envelopeProductUid, envelopesPerPiece } = link;
  const values = { productUid, fileUrl, pageCount, envelopeProductUid, envelopesPerPiece };
  const isOfBefore = link.checkedAt === null || link.checkedAt < updatedAt;
  const check = isOfBefore
    ? { problems: [], checkedAt: null }
    : { problems: link.problems, checkedAt: link.checkedAt?.toISOString() ?? null };
  return { variantId, sku, ...values, source: link.source, ...check, updatedAt: updatedAt.toISOString() };
}

const GONE = `
  select shopify_variant_id as id from variant_connections
  where shop_id = $1 and shopify_variant_id = any($2::text[]) and deleted_in_store_at is not null`;
