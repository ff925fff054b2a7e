import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { VariantConnections } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { findPrintLinks } from '../../database/find-print-links.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { readVariant, readVariantPage, type DescribedVariant } from '../../shopify/calls/store-variants.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { showLinks, type ShownLink } from './show-links.ts';

const CURSOR_RULE = 'after: must be the "next" value of the previous page.';

/** A variant of the store with the print link that applies to it: its own, or the link for its SKU. */
interface LinkedVariant {
  /** The digits of the variant's ID in the store. */
  variantId: string;
  title: string;
  sku: string | null;
  printLink: ShownLink | null;
  /** The variant's connection at the print service. Null until it is known. */
  connection: string | null;
}

/**
 * Lists a page of a product's variants, or only one variant, as the store has them now. Throws NotFoundError, InvalidInputError if the
 * store does not accept `after`, ShopifyError, and the errors of `openAdmin`.
 */
export async function listVariantLinks(
  app: App,
  shop: Shop,
  { id, isProduct, after }: { id: string; isProduct: boolean; after: string | null },
): Promise<{ variants: LinkedVariant[]; next: string | null }> {
  const { variants, next } = await readVariants(app, shop, { id, isProduct, after });
  const { manager } = app.db;
  const links = await findPrintLinks(manager, shop, variants);
  const found = [...links.entries()];
  const shown = await showLinks(
    app.db,
    shop,
    found.map(([, link]) => link),
  );
  const linkOf = new Map(found.map(([variantId], index) => [variantId, shown[index] ?? null]));
  const ofShop = { shopId: shop.id, shopifyVariantId: In(variants.map((one) => one.id)) };
  const connections = await manager.findBy(VariantConnections, ofShop);
  const statusOf = new Map(connections.map(({ shopifyVariantId, status }) => [shopifyVariantId, status]));
  return {
    variants: variants.map(({ id: variantId, title, sku }) => ({
      variantId: variantId.split('/').at(-1) ?? '',
      title,
      sku,
      printLink: linkOf.get(variantId) ?? null,
      connection: statusOf.get(variantId) ?? null,
    })),
    next,
  };
}

/** Returns whether the store rejected the cursor. Its error does not name the cursor. */
function isRefusedCursor(error: unknown): boolean {
  return error instanceof ShopifyError && error.kind === 'graphql';
}

async function readVariants(
  app: App,
  shop: Shop,
  { id, isProduct, after }: { id: string; isProduct: boolean; after: string | null },
): Promise<{ variants: DescribedVariant[]; next: string | null }> {
  const admin = await openAdmin(app, shop);
  if (isProduct) {
    const page = await readVariantPage(admin, `gid://shopify/Product/${id}`, after).catch((error: unknown) => {
      throw after !== null && isRefusedCursor(error) ? new InvalidInputError('after', CURSOR_RULE) : error;
    });
    if (page === null) throw new NotFoundError('The store does not have this product.');
    return page;
  }
  const variant = await readVariant(admin, `gid://shopify/ProductVariant/${id}`);
  if (variant === null) throw new NotFoundError('The store does not have this variant.');
  return { variants: [variant], next: null };
}
