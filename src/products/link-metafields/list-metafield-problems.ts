import { MoreThan, Raw } from 'typeorm';
import type { App } from '../../app.ts';
import { LinkMetafieldReadings } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { MetafieldProblem } from './decide-link.ts';

/** A variant whose metafields have problems, as the command line and the API show it. */
export interface ShownMetafieldProblems {
  variantId: string;
  problems: MetafieldProblem[];
  /** ISO 8601. */
  readAt: string;
}

const SOME = Raw((problems) => `${problems} <> '[]'`);
/** Maximum number of variants in one response. */
const PAGE = 100;

/** Lists a page of the variants whose metafields have problems. `next` is the next page's `after`, or null at the end. */
export async function listMetafieldProblems(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  after: string | null,
): Promise<{ variants: ShownMetafieldProblems[]; next: string | null }> {
  const rows = await app.db.manager.find(LinkMetafieldReadings, {
    where: { shopId, problems: SOME, ...(after === null ? {} : { shopifyVariantId: MoreThan(after) }) },
    order: { shopifyVariantId: 'ASC' },
    take: PAGE + 1,
  });
  const shown = rows.slice(0, PAGE).map(({ shopifyVariantId: variantId, problems, readAt }) => ({
    variantId,
    problems,
    readAt: readAt.toISOString(),
  }));
  return { variants: shown, next: rows.length > PAGE ? (shown.at(-1)?.variantId ?? null) : null };
}
