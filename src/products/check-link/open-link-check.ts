import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { FileNetwork } from '../../print/files/public-host.ts';
import { checkFile } from './check-file.ts';
import { checkProduct } from './check-product.ts';
import type { LinkProblem } from './link-problem.ts';
import { callOnce } from './call-once.ts';
import { openPrintFiles } from './open-print-files.ts';
import { readShopCountry } from './read-shop-country.ts';
import type { CheckedLink } from './to-check-quote.ts';

const NO_COUNTRY: LinkProblem = {
  code: 'no_country',
  field: 'country',
  message: 'The product could not be checked: the store has no country in its address.',
  remedy: "Enter the store's address in its settings.",
  mayPass: true,
};

/** Finds all of a print link's problems. The list is empty if an order could be printed with the link. */
export type LinkCheck = (link: CheckedLink) => Promise<LinkProblem[]>;

/**
 * Opens a check of saved print links. It fetches a link's file and, if the link has a page count, counts the pages (`checkFile`). It also
 * requests a quote for one unit, delivered to the shop's country (`checkProduct`). Links with the same file or product share a result, so
 * each job opens its own check for one shop. The check writes nothing. Fetching a file takes up to 5 s, or up to a minute and a half if the
 * whole file is read. For one link, the store and the print service usually receive one request each. Addresses that buyers entered are
 * never checked this way. The check throws ShopifyError and PlatenError `shop_needs_sign_in` if the country cannot be read from the store,
 * and PlatenError `cannot_decrypt`.
 */
export function openLinkCheck(app: App, ofShop: { shop: Shop; accountId: number }, network?: FileNetwork): LinkCheck {
  const files = openPrintFiles(network);
  const products = new Map<string, Promise<LinkProblem[]>>();
  return async (link) => {
    const [ofFile, ofProduct] = await Promise.all([
      checkFile(app, link, files),
      checkProductOnce(products, link, () => checkProductForShopCountry(app, ofShop, link)),
    ]);
    return [...ofFile, ...ofProduct];
  };
}

/**
 * A product's result does not depend on the file, unless a refusal names the file. In that case, the result applies only to links with that
 * file.
 */
async function checkProductOnce(
  products: Map<string, Promise<LinkProblem[]>>,
  { productUid, pageCount, envelopeProductUid, envelopesPerPiece, fileUrl }: CheckedLink,
  check: () => Promise<LinkProblem[]>,
): Promise<LinkProblem[]> {
  const product = [productUid, pageCount, envelopeProductUid, envelopesPerPiece, fileUrl === null];
  const found = await callOnce(products, JSON.stringify(product), check);
  const namesFile = fileUrl !== null && found.some(({ field }) => field === 'fileUrl');
  return namesFile ? callOnce(products, JSON.stringify([...product, fileUrl]), check) : found;
}

async function checkProductForShopCountry(
  app: App,
  ofShop: { shop: Shop; accountId: number },
  link: CheckedLink,
): Promise<LinkProblem[]> {
  const country = await readShopCountry(app, ofShop.shop);
  return country === null ? [NO_COUNTRY] : checkProduct(app, ofShop, link, country);
}
