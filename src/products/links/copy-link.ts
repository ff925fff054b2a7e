import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { findLink } from './find-link.ts';
import type { LinkTarget } from './parse-link.ts';
import { saveLinks } from './save-links.ts';
import { showLink, type ShownLink } from './show-links.ts';

/**
 * Copies a variant's or SKU's print link to another variant or SKU. Later changes of one link do not affect the other. Throws NotFoundError
 * if there is no link to copy.
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
