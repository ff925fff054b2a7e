import type { AdminApi } from '../admin/admin-api.ts';
import { SlipTextsDocument } from '../generated/operations.ts';

/** The number of IDs per call: the maximum that Shopify accepts in a list. */
const IDS_PER_CALL = 250;

/** The store's texts for packing slips, by the ID of the order or line item. */
export interface SlipTexts {
  /** `locale` is the buyer's language, such as `de-AT`. `note` is null if it was not requested. */
  orders: Map<string, { locale: string | null; note: string | null }>;
  items: Map<string, { title: string; variantTitle: string | null }>;
}

/**
 * Reads the titles of these line items, and the languages and notes of these orders. Those that the store does not show, such as orders
 * older than 60 days, are missing from the result. Throws ShopifyError.
 */
export async function readSlipTexts(
  admin: AdminApi,
  ids: readonly string[],
  { withNote }: { withNote: boolean },
): Promise<SlipTexts> {
  const texts: SlipTexts = { orders: new Map(), items: new Map() };
  for (let start = 0; start < ids.length; start += IDS_PER_CALL) {
    const { nodes } = await admin.request(SlipTextsDocument, { ids: ids.slice(start, start + IDS_PER_CALL), withNote });
    for (const node of nodes) {
      if (node === null) continue;
      if ('customerLocale' in node) texts.orders.set(node.id, { locale: node.customerLocale, note: node.note ?? null });
      if ('title' in node) texts.items.set(node.id, { title: node.title, variantTitle: node.variantTitle });
    }
  }
  return texts;
}
