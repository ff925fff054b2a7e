import { MoreThan } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintLinks, type PrintLink } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { LinkTarget } from './parse-link.ts';
import { showLinks, type ShownLink } from './show-links.ts';

/** Number of links on one page of a displayed list. */
const PAGE_SHOWN = 100;
/** Number of links read with one query when all are listed. */
const PAGE = 1_000;

/** Lists a page of a shop's print links, oldest first. `next` is the next page's `after`, or null at the end. */
export async function listLinksPage(
  app: App,
  shop: Pick<Shop, 'id'>,
  { after, target = null }: { after: string | null; target?: LinkTarget | null },
): Promise<{ printLinks: ShownLink[]; next: string | null }> {
  const found = await readPage(app, shop, after ?? '0', PAGE_SHOWN + 1, target);
  const shown = found.slice(0, PAGE_SHOWN);
  const printLinks = await showLinks(app.db, shop, shown);
  return { printLinks, next: found.length > PAGE_SHOWN ? (shown.at(-1)?.id ?? null) : null };
}

/** Lists all of a shop's print links, oldest first, page by page. */
export async function* listLinks(app: App, shop: Pick<Shop, 'id'>): AsyncGenerator<ShownLink> {
  for (let after = '0'; ;) {
    const page = await readPage(app, shop, after, PAGE, null);
    yield* await showLinks(app.db, shop, page);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

function readPage(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  after: string,
  most: number,
  target: LinkTarget | null,
): Promise<PrintLink[]> {
  const { shopifyVariantId = null, sku = null } = target ?? {};
  return app.db.manager.find(PrintLinks, {
    where: {
      shopId,
      id: MoreThan(after),
      ...(shopifyVariantId === null ? {} : { shopifyVariantId }),
      ...(sku === null ? {} : { sku }),
    },
    order: { id: 'ASC' },
    take: most,
  });
}
