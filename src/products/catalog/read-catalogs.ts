import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { Catalog, CatalogSummary } from '../../print/current/catalog-objects.ts';
import { needExtended, openService, type ShopService } from '../print-service/open-service.ts';
import { askOnce } from './ask-once.ts';

/** A print service catalog as the API shows it. */
export interface ShownCatalog {
  catalogUid: string;
  title: string | null;
  attributes: { attributeUid: string; title: string | null; values: { valueUid: string; title: string | null }[] }[];
}

/**
 * Lists the catalogs of a shop's print account in the service's order. Throws the same errors as `openService`, `needExtended` and
 * `askOnce`.
 */
export async function listCatalogs(app: App, shop: Shop): Promise<Pick<ShownCatalog, 'catalogUid' | 'title'>[]> {
  const { accountId, service } = await openService(app, shop);
  const extended = needExtended(service, 'The list of catalogs');
  const question = { accountId, call: ['catalogs'], what: 'the list of catalogs', ask: () => extended.listCatalogs() };
  const catalogs = await askOnce<CatalogSummary[]>(app, question);
  return catalogs.map(({ catalogUid, title }) => ({ catalogUid, title }));
}

/** Reads a catalog with the attributes by which its products can be searched. Throws the same errors as `listCatalogs`. */
export async function readCatalog(app: App, shop: Shop, catalogUid: string): Promise<ShownCatalog> {
  const { title, productAttributes } = await askCatalog(app, await openService(app, shop), catalogUid);
  return {
    catalogUid,
    title,
    attributes: productAttributes.map((attribute) => ({
      attributeUid: attribute.productAttributeUid,
      title: attribute.title,
      values: attribute.values.map((value) => ({ valueUid: value.productAttributeValueUid, title: value.title })),
    })),
  };
}

/** Reads a catalog as the service returns it. Throws the same errors as `needExtended` and `askOnce`. */
export function askCatalog(app: App, { accountId, service }: ShopService, catalogUid: string): Promise<Catalog> {
  const extended = needExtended(service, 'A catalog');
  const what = `the catalog ${catalogUid}`;
  return askOnce(app, { accountId, call: ['catalog', catalogUid], what, ask: () => extended.getCatalog(catalogUid) });
}
