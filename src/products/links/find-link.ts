import { IsNull, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { PrintLinks, type PrintLink } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotFoundError } from '../../errors.ts';
import { describeTarget, type LinkTarget } from './parse-link.ts';

/** Returns the condition for a target's row: the variant's own link, or the SKU's link without a variant. */
export function whereTarget({ id: shopId }: Pick<Shop, 'id'>, target: LinkTarget): FindOptionsWhere<PrintLink> {
  const { shopifyVariantId, sku } = target;
  return shopifyVariantId === null
    ? { shopId, shopifyVariantId: IsNull(), sku: sku ?? '' }
    : { shopId, shopifyVariantId };
}

/** Finds the shop's print link for a target. Throws NotFoundError. */
export async function findLink(manager: EntityManager, shop: Pick<Shop, 'id'>, target: LinkTarget): Promise<PrintLink> {
  const link = await manager.findOneBy(PrintLinks, whereTarget(shop, target));
  if (!link) throw new NotFoundError(`There is no print link for ${describeTarget(target)}.`);
  return link;
}
