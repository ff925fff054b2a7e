import { In, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { LinkMetafieldProblems, PrintLinks } from '../../database/products.ts';
import type { Shop } from '../../database/shops.ts';
import type { VariantLink } from '../../shopify/variant-links.ts';
import { removeLinks } from '../links/remove-links.ts';
import { saveLinks } from '../links/save-links.ts';
import { decideLink, type MetafieldProblem } from './decide-link.ts';

/** What metafields can say; the rest of a link stands. */
const VALUES = ['productUid', 'fileUrl', 'pageCount'] as const;

/**
 * Takes in what the metafields of variants were just read to say: saves the links that they come to, removes those that came from them and
 * are gone, and keeps what is wrong, all or none. Safe to repeat. Returns how many links changed.
 */
export async function takeInLinks(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  { links, namespace }: { links: readonly VariantLink[]; namespace: string },
): Promise<number> {
  if (links.length === 0) return 0;
  return app.db.transaction(async (manager) => {
    const ids = links.map(({ shopifyVariantId }) => shopifyVariantId);
    const known = await manager.findBy(PrintLinks, { shopId, shopifyVariantId: In(ids) });
    const own = new Map(known.map((link) => [link.shopifyVariantId, link]));
    const decided = links.map((link) => {
      const { shopifyVariantId } = link;
      return { shopifyVariantId, ...decideLink(link, own.get(shopifyVariantId) ?? null, namespace) };
    });
    const toSave = decided.flatMap(({ save }) => save ?? []);
    const { created, changed } = await saveLinks(app, manager, { id: shopId }, toSave, VALUES, 'metafields');
    const toRemove = decided.flatMap(({ remove, shopifyVariantId }) => (remove ? [shopifyVariantId] : []));
    const removed = await removeLinks(app, manager, shopId, toRemove, 'metafields');
    await keepProblems(app, manager, shopId, decided);
    return created + changed + removed;
  });
}

async function keepProblems(
  app: App,
  manager: EntityManager,
  shopId: number,
  decided: readonly { shopifyVariantId: string; problems: MetafieldProblem[] }[],
): Promise<void> {
  const [wrong, right] = [
    decided.filter((one) => one.problems.length > 0),
    decided.filter((one) => one.problems.length === 0),
  ];
  const ids = right.map(({ shopifyVariantId }) => shopifyVariantId);
  await manager.delete(LinkMetafieldProblems, { shopId, shopifyVariantId: In(ids) });
  const rows = wrong.map(({ shopifyVariantId, problems }) => ({
    shopId,
    shopifyVariantId,
    problems,
    readAt: app.now(),
  }));
  if (rows.length > 0) await manager.upsert(LinkMetafieldProblems, rows, ['shopId', 'shopifyVariantId']);
}
