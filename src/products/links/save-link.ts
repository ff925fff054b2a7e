import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { parseLink } from './parse-link.ts';
import { saveLinks } from './save-links.ts';
import { showLink, type ShownLink } from './show-links.ts';

/**
 * Saves one of a shop's print links. It replaces the variant's or SKU's previous link (see `saveLinks` for the effects). Throws an
 * InvalidInputError that names the field and its rule.
 */
export async function saveLink(app: App, shop: Pick<Shop, 'id'>, input: Record<string, unknown>): Promise<ShownLink> {
  const link = parseLink(input);
  return app.db.transaction(async (manager) => {
    await saveLinks(app, manager, shop, [link]);
    return showLink(manager, shop, link);
  });
}
