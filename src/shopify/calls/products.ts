import type { AdminApi } from '../admin/admin-api.ts';
import { VariantIdsDocument, VariantsByIdsDocument } from '../generated/operations.ts';
import type { VariantsByIdsQuery } from '../generated/operations.ts';

export type Variant = Extract<NonNullable<VariantsByIdsQuery['nodes'][number]>, { inventoryItem: object }>;

/** Number of IDs per call. Shopify accepts up to 250 in a list, and each variant costs three points. */
const IDS_PER_CALL = 100;

/** Reads the variants with these IDs and their inventory items, in no guaranteed order. IDs that the shop does not have are omitted. */
export async function readVariants(admin: AdminApi, ids: readonly string[]): Promise<Variant[]> {
  const variants: Variant[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_CALL) {
    const { nodes } = await admin.request(VariantsByIdsDocument, { ids: ids.slice(start, start + IDS_PER_CALL) });
    variants.push(...nodes.filter((node): node is Variant => node !== null && 'inventoryItem' in node));
  }
  return variants;
}

/** Maximum number of IDs in a list. Each ID costs one point. */
export const MAX_IDS = 250;

/** Returns those of at most 250 IDs that are variants in the shop. */
export async function readKnownVariantIds(admin: AdminApi, ids: readonly string[]): Promise<string[]> {
  const { nodes } = await admin.request(VariantIdsDocument, { ids: [...ids] });
  return nodes.flatMap((node) => (node !== null && 'id' in node ? [node.id] : []));
}
