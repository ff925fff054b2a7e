import type { AdminApi } from '../admin/admin-api.ts';
import { VariantIdsDocument, VariantsByIdsDocument } from '../generated/operations.ts';
import type { VariantsByIdsQuery } from '../generated/operations.ts';

export type Variant = Extract<NonNullable<VariantsByIdsQuery['nodes'][number]>, { inventoryItem: object }>;

/** Ids in one call: Shopify takes up to 250 in a list, and each variant costs three points. */
const IDS_A_CALL = 100;

/** The variants of these ids with their inventory items, in no order; ids that the shop does not have are left out. */
export async function readVariants(admin: AdminApi, ids: readonly string[]): Promise<Variant[]> {
  const variants: Variant[] = [];
  for (let start = 0; start < ids.length; start += IDS_A_CALL) {
    const { nodes } = await admin.request(VariantsByIdsDocument, { ids: ids.slice(start, start + IDS_A_CALL) });
    variants.push(...nodes.filter((node): node is Variant => node !== null && 'inventoryItem' in node));
  }
  return variants;
}

/** As many ids as Shopify takes in a list, where each costs one point. */
export const MOST_IDS = 250;

/** Which of these ids, 250 at most, are variants of the shop. */
export async function readKnownVariantIds(admin: AdminApi, ids: readonly string[]): Promise<string[]> {
  const { nodes } = await admin.request(VariantIdsDocument, { ids: [...ids] });
  return nodes.flatMap((node) => (node !== null && 'id' in node ? [node.id] : []));
}
