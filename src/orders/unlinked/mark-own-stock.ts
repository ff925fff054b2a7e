import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { InvalidInputError } from '../../errors.ts';
import { enqueuePlanLinked } from '../../products/links/enqueue-plan-linked.ts';

const OWNED = /^(?:gid:\/\/shopify\/(?:Product|ProductVariant)\/)?[1-9]\d{0,19}$/;

/** The product or variant that someone entered. */
export interface OwnStockTarget {
  productId?: unknown;
  variantId?: unknown;
}

/**
 * Marks a product or variant as own stock, which the merchant ships. As long as the product or variant has no print link, Platen no longer
 * holds its lines, and leaves lines that are already held to the merchant. `isUndone` removes the mark, which affects only orders placed
 * later. Returns whether anything changed. Throws InvalidInputError.
 */
export async function markOwnStock(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  target: OwnStockTarget,
  { by, isUndone = false }: { by: 'cli' | 'merchant'; isUndone?: boolean },
): Promise<boolean> {
  const shopifyId = parseOwnStockTarget(target);
  return app.db.transaction(async (manager) => {
    if (isUndone) {
      const removed = (await manager.query('delete from own_products where shop_id = $1 and shopify_id = $2', [
        shopId,
        shopifyId,
      ])) as [unknown, number];
      return removed[1] > 0;
    }
    const added: unknown[] = await manager.query(
      'insert into own_products (shop_id, shopify_id, said_by) values ($1, $2, $3) on conflict do nothing returning shopify_id',
      [shopId, shopifyId, by],
    );
    await enqueuePlanLinked(manager, shopId);
    return added.length > 0;
  });
}

function parseOwnStockTarget({ productId, variantId }: OwnStockTarget): string {
  const isVariant = productId === undefined;
  const [field, value] = isVariant ? ['variantId', variantId] : ['productId', productId];
  const type = isVariant ? 'ProductVariant' : 'Product';
  const prefix = `gid://shopify/${type}/`;
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const isOfType = text.startsWith(prefix) || !text.includes('/');
  if (!OWNED.test(text) || !isOfType || (!isVariant && variantId !== undefined)) {
    const message = `${field}: enter either productId or variantId. Use the number at the end of the page's address in the store's admin, or ${prefix} followed by that number.`;
    throw new InvalidInputError(field, message);
  }
  return text.startsWith(prefix) ? text : prefix + text;
}
