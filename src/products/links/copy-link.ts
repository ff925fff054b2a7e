import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { findLink } from './find-link.ts';
import type { LinkTarget } from './parse-link.ts';
import { saveLinks } from './save-links.ts';
import { showLink, type ShownLink } from './show-links.ts';

/**
 * Gives a variant, or a SKU, the print link that another one has now; the two have nothing to do with each other afterwards.
 * Throws NotFoundError when there is none to copy.
 */
export async function copyLink(
  app: App,
  shop: Pick<Shop, 'id'>,
  { from, to }: { from: LinkTarget; to: LinkTarget },
): Promise<ShownLink> {
  return app.db.transaction(async (manager) => {
    const { productUid, fileUrl, pageCount, ...envelopes } = await findLink(manager, shop, from);
    const { envelopeProductUid, envelopesPerPiece } = envelopes;
    const link = { ...to, productUid, fileUrl, pageCount, envelopeProductUid, envelopesPerPiece };
    await saveLinks(app, manager, shop, [link]);
    return showLink(manager, shop, to);
  });
}
