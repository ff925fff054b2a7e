import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotFoundError } from '../../errors.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { enqueueCheckLinks } from './enqueue-check-links.ts';
import { describeTarget, type LinkTarget } from './parse-link.ts';

/**
 * Enqueues a check of all of the shop's print links that have problems. If a target is given, only the target's link is checked, even if it
 * has no problem. A person needs this after fixing a problem without changing a link, such as by uploading a file again. Returns the number
 * of links to check. Throws NotFoundError.
 */
export async function recheckLinks(
  app: App,
  queryable: Queryable,
  { id: shopId }: Pick<Shop, 'id'>,
  target: LinkTarget | null = null,
): Promise<number> {
  const [, count] = (await queryable.query(
    `update print_links set check_at = $2 where shop_id = $1 and ${target === null ? `problems <> '[]'` : ONE}`,
    [shopId, app.clock.now(), ...(target === null ? [] : [target.shopifyVariantId, target.sku])],
  )) as [unknown[], number];
  if (target !== null && count === 0) throw new NotFoundError(`There is no print link for ${describeTarget(target)}.`);
  if (count > 0) await enqueueCheckLinks(queryable, { shopId });
  return count;
}

const ONE = `case when $3::text is null then shopify_variant_id is null and sku = $4::text else shopify_variant_id = $3::text end`;
