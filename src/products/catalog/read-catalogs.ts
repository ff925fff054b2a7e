import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { Catalog, CatalogSummary } from '../../print/current/catalog-objects.ts';
import { requireExtendedCalls, openService, type ShopService } from '../print-service/open-service.ts';
import { requestOnce } from './request-once.ts';

/** A print service catalog as the API shows it. */
export interface ShownCatalog {
  catalogUid: string;
  title: string | null;
  attributes: { attributeUid: string; title: string | null; values: { valueUid: string; title: string | null }[] }[];
}

/**
 * Lists the catalogs of a shop's print account in the service's order. Throws the same errors as `openService`, `requireExtendedCalls` and
 * `requestOnce`.
 */
export async function listCatalogs(app: App, shop: Shop): Promise<Pick<ShownCatalog, 'catalogUid' | 'title'>[]> {
  const { accountId, service } = await openService(app, shop);
  const extended = requireExtendedCalls(service, 'The list of catalogs');
  const question = { accountId, call: ['catalogs'], what: 'the list of catalogs', ask: () => extended.listCatalogs() };
  const catalogs = await requestOnce<CatalogSummary[]>(app, question);
  return catalogs.map(({ catalogUid, title }) => ({ catalogUid, title }));
}

/** Reads a catalog with its searchable attributes. Throws the same errors as `listCatalogs`. */
export async function readCatalog(app: App, shop: Shop, catalogUid: string): Promise<ShownCatalog> {
  const { title, productAttributes } = await requestCatalog(app, await openService(app, shop), catalogUid);
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

/** Reads a catalog as the service returns it. Throws the same errors as `requireExtendedCalls` and `requestOnce`. */
export function requestCatalog(app: App, { accountId, service }: ShopService, catalogUid: string): Promise<Catalog> {
  const extended = requireExtendedCalls(service, 'A catalog');
  const what = `the catalog ${catalogUid}`;
  return requestOnce(app, {
    accountId,
    call: ['catalog', catalogUid],
    what,
    ask: () => extended.getCatalog(catalogUid),
  });
}
