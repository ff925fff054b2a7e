import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { PrintService } from '../../print/client.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { openPrintAccount, openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { findQuoteProblem, toRefusalProblem, isProductUncertain, type CatalogLookup } from './find-quote-problem.ts';
import type { LinkProblem } from './link-problem.ts';
import { toCheckQuote, type CheckedLink } from './to-check-quote.ts';

/**
 * Returns the problems of a link's product. Requests a quote for one unit, delivered to `country` (ISO 3166-1 alpha-2), with the shop's own
 * key and print interface. A quote proves that the product is in the catalog, is available with this key and is delivered to the country.
 * If a refusal gives no reason, the product is looked up in the catalog. Nothing is ordered. Throws PlatenError `cannot_decrypt`. The print
 * service's errors are returned as problems.
 */
export async function checkProduct(
  app: App,
  { shop, accountId }: { shop: Shop; accountId: number },
  link: CheckedLink,
  country: string,
): Promise<LinkProblem[]> {
  const settings = readSettings(shop);
  const { printInterface, legacyHost, extendedCalls } = settings;
  const request = toCheckQuote(link, shop, { ...settings, country });
  const choice = { printInterface, legacyHost, extendedCalls, shopId: shop.id };
  try {
    const { port } = await openPrintPort(app, accountId, choice);
    const problem = findQuoteProblem(await port.quote(request), request);
    return problem === null ? [] : [problem];
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    if (!isProductUncertain(error)) return [toRefusalProblem(error, request, 'unknown')];
    const { service } = await openPrintAccount(app, accountId, { extendedCalls, shopId: shop.id });
    return [toRefusalProblem(error, request, await findInCatalog(service, link))];
  }
}

/**
 * Returns whether the catalog has a product. Uses the extended call for prices, the only call that accepts a product UID. The documented
 * interface can search only by attributes, in a catalog whose UID is known.
 */
async function findInCatalog(
  { extended }: PrintService,
  { productUid, pageCount }: CheckedLink,
): Promise<CatalogLookup> {
  if (extended === 'unsupported') return 'unknown';
  try {
    await extended.getProductPrices(productUid, pageCount === null ? {} : { pageCount });
    return 'there';
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    return error.outcome === 'not_found' ? 'missing' : 'unknown';
  }
}
