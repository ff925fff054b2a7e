import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { PrintService } from '../../print/client.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { openPrintAccount, openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { judgeQuotes, judgeRefusal, leavesProductOpen, type InCatalog } from './judge-quote.ts';
import type { LinkProblem } from './link-problem.ts';
import { toCheckQuote, type CheckedLink } from './to-check-quote.ts';

/**
 * What is wrong with the product of a link: one piece is quoted to `country` (ISO 3166-1 alpha-2) with the shop's own key, through the
 * interface that the shop prints with. A piece that is quoted is in the catalog, may be had with this key and is made for the country;
 * where a refusal does not say what is wrong, the catalog is asked for the product. Nothing is ordered. Throws PlatenError
 * `cannot_decrypt`; what the print service does is a problem of the link, or one that may pass.
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
    const problem = judgeQuotes(await port.quote(request), request);
    return problem === null ? [] : [problem];
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    if (!leavesProductOpen(error)) return [judgeRefusal(error, request, 'unknown')];
    const { service } = await openPrintAccount(app, accountId, { extendedCalls, shopId: shop.id });
    return [judgeRefusal(error, request, await lookInCatalog(service, link))];
  }
}

/**
 * Whether the catalog has a product. The documented interface can only search a catalog whose uid is known, by attributes; the prices of
 * a product are beyond the page, and the one call that names it.
 */
async function lookInCatalog({ extended }: PrintService, { productUid, pageCount }: CheckedLink): Promise<InCatalog> {
  if (extended === 'unsupported') return 'unknown';
  try {
    await extended.getProductPrices(productUid, pageCount === null ? {} : { pageCount });
    return 'there';
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    return error.outcome === 'not_found' ? 'missing' : 'unknown';
  }
}
