import { In } from 'typeorm';
import type { App } from '../app.ts';
import { findPrintLinks } from '../database/find-print-links.ts';
import { VariantConnections, type PrintLink } from '../database/entities/products.ts';
import type { Shop } from '../database/entities/shops.ts';
import type { CheckoutItem } from './checkout-cart.ts';

/**
 * The handle that Shopify derives from the name of Platen's fulfillment service. The handle ends with a number if the name was already in
 * use.
 */
const OUR_HANDLE = /^platen(?:-\d+)?$/;
const VARIANT = 'gid://shopify/ProductVariant/';

/** A printed line in a cart. */
export interface PrintedItem {
  link: PrintLink;
  quantity: number;
}

export interface SplitCart {
  printed: PrintedItem[];
  /** Number of units that the merchant ships. */
  ownStock: number;
  /** Number of units to print that have no print link, so that their price is unknown. */
  unlinked: number;
}

/**
 * Divides a cart's items into printed items and own stock, as `orders/plan/decide/decide-line.ts` divides lines. Items that need no
 * shipping are left out. An ignored variant is own stock. A variant without a print link is also own stock, unless it is connected or
 * belongs to Platen's fulfillment service.
 */
export async function splitCart(
  app: App,
  shop: Pick<Shop, 'id'>,
  items: readonly CheckoutItem[],
  { printsAtMerchantLocations }: { printsAtMerchantLocations: boolean },
): Promise<SplitCart> {
  const shipped = listShippedItems(items);
  const variants = shipped.flatMap(({ variant_id: id, sku }) => (id === null ? [] : [{ id: VARIANT + id, sku }]));
  const where = { shopId: shop.id, shopifyVariantId: In([...new Set(variants.map(({ id }) => id))]) };
  const { manager } = app.db;
  const [links, connections] = await Promise.all([
    findPrintLinks(manager, shop, variants),
    variants.length === 0 ? [] : manager.findBy(VariantConnections, where),
  ]);
  const split: SplitCart = { printed: [], ownStock: 0, unlinked: 0 };
  for (const { variant_id: id, quantity, fulfillment_service: service } of shipped) {
    const isOurs = isOurService(service);
    const link = links.get(VARIANT + id);
    const status = connections.find(({ shopifyVariantId }) => shopifyVariantId === VARIANT + id)?.status;
    if (id === null || status === 'ignored' || (!isOurs && !printsAtMerchantLocations)) split.ownStock += quantity;
    else if (link) split.printed.push({ link, quantity });
    else if (isOurs || status !== undefined) split.unlinked += quantity;
    else split.ownStock += quantity;
  }
  return split;
}

/** Divides the items without reading the database, for use during a database outage. Every item that may be printed counts as unlinked. */
export function splitWithoutDatabase(
  items: readonly CheckoutItem[],
  { printsAtMerchantLocations }: { printsAtMerchantLocations: boolean },
): SplitCart {
  const split: SplitCart = { printed: [], ownStock: 0, unlinked: 0 };
  for (const { variant_id: id, quantity, fulfillment_service: service } of listShippedItems(items)) {
    if (id !== null && (printsAtMerchantLocations || isOurService(service))) split.unlinked += quantity;
    else split.ownStock += quantity;
  }
  return split;
}

function listShippedItems(items: readonly CheckoutItem[]): CheckoutItem[] {
  return items.filter((item) => item.requires_shipping !== false && item.quantity > 0);
}

function isOurService(service: string | null): boolean {
  return OUR_HANDLE.test(service ?? '');
}
