import { In, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintLinks } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { VariantLink } from '../../shopify/calls/variant-links.ts';
import { removeLinks } from '../links/remove-links.ts';
import { saveLinks } from '../links/save-links.ts';
import { decideLink, type MetafieldProblem } from './decide-link.ts';

/** The values that metafields set. A link's other values stay unchanged. */
const VALUES = ['productUid', 'fileUrl', 'pageCount'] as const;

/** The print links in variants' metafields, and the time when the reading began. */
interface Reading {
  links: readonly VariantLink[];
  namespace: string;
  since: Date;
}

/**
 * Applies a reading of metafields in one transaction: saves the links, removes links whose metafields no longer exist, and saves the
 * problems. A variant is skipped if another reading of its metafields was saved after this reading began, because this reading may be
 * older. Safe to repeat. Returns the number of changed links and of skipped variants.
 */
export async function applyLinkReading(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  { links, namespace, since }: Reading,
): Promise<{ changed: number; overtaken: number }> {
  return app.db.transaction(async (manager) => {
    const ids = await recordReadings(app, manager, { shopId, links, since });
    const known = await manager.findBy(PrintLinks, { shopId, shopifyVariantId: In([...ids]) });
    const own = new Map(known.map((link) => [link.shopifyVariantId, link]));
    const decided = links
      .filter(({ shopifyVariantId }) => ids.has(shopifyVariantId))
      .map((link) => {
        const { shopifyVariantId } = link;
        return { shopifyVariantId, ...decideLink(link, own.get(shopifyVariantId) ?? null, namespace) };
      });
    const toSave = decided.flatMap(({ save }) => save ?? []);
    const saved = await saveLinks(app, manager, { id: shopId }, toSave, VALUES, 'metafields');
    const toRemove = decided.flatMap(({ remove, shopifyVariantId }) => (remove ? [shopifyVariantId] : []));
    const removed = await removeLinks(manager, shopId, toRemove, 'metafields');
    await saveProblems(manager, shopId, decided);
    return { changed: saved.created + saved.changed + removed, overtaken: links.length - decided.length };
  });
}

/**
 * Marks variants as read, unless another reading of them was saved after `since`. Returns the marked variants. Other transactions that save
 * readings of these variants wait for this transaction.
 */
async function recordReadings(
  app: App,
  manager: EntityManager,
  { shopId, links, since }: { shopId: number } & Pick<Reading, 'links' | 'since'>,
): Promise<Set<string>> {
  const noted: { id: string }[] = await manager.query(
    `insert into link_metafield_problems as r (shop_id, shopify_variant_id, problems, read_at)
     select $1, id, '[]', $3 from unnest($2::text[]) id order by id
     on conflict (shop_id, shopify_variant_id) do update set read_at = excluded.read_at where r.read_at <= $4
     returning shopify_variant_id as id`,
    [shopId, links.map(({ shopifyVariantId }) => shopifyVariantId), app.clock.now(), since],
  );
  return new Set(noted.map(({ id }) => id));
}

async function saveProblems(
  manager: EntityManager,
  shopId: number,
  decided: readonly { shopifyVariantId: string; problems: MetafieldProblem[] }[],
): Promise<void> {
  const problems = decided.map(({ shopifyVariantId: id, problems: found }) => ({ id, found }));
  await manager.query(
    `update link_metafield_problems r set problems = p.found
     from jsonb_to_recordset($2::jsonb) p (id text, found jsonb)
     where r.shop_id = $1 and r.shopify_variant_id = p.id and r.problems <> p.found`,
    [shopId, JSON.stringify(problems)],
  );
}
