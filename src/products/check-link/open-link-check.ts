import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { FileNetwork } from '../../print/files/fetch-print-file.ts';
import { checkFile } from './check-file.ts';
import { checkProduct } from './check-product.ts';
import type { LinkProblem } from './link-problem.ts';
import { once } from './once.ts';
import { openPrintFiles } from './open-print-files.ts';
import { readShopCountry } from './read-shop-country.ts';
import type { CheckedLink } from './to-check-quote.ts';

const NO_COUNTRY: LinkProblem = {
  code: 'no_country',
  field: 'country',
  message: 'The product could not be checked: the store does not say in which country it is.',
  remedy: "Enter the address of the shop in the store's settings.",
  mayPass: true,
};

/** Finds everything that is wrong with a print link, an empty list when an order could be printed with it. */
export type LinkCheck = (link: CheckedLink) => Promise<LinkProblem[]>;

/**
 * Opens a check of print links that a merchant has saved: a link's file is fetched (`checkFile`), its pages are counted where the link has
 * pages, and one piece of its product is quoted to the country of the shop (`checkProduct`). Links of the same file or product share what
 * was found of it, so a check is of one shop and for one job. It writes nothing. One link takes up to 5 s for the file, a minute and a half
 * where all of it is read, and the time of a call to the store and to the print service. Never called with an address that a buyer typed.
 * The check throws ShopifyError and PlatenError `shop_needs_sign_in` when the store cannot be asked for its country, and PlatenError
 * `cannot_decrypt`.
 */
export function openLinkCheck(app: App, ofShop: { shop: Shop; accountId: number }, network?: FileNetwork): LinkCheck {
  const files = openPrintFiles(network);
  const products = new Map<string, Promise<LinkProblem[]>>();
  return async (link) => {
    const [ofFile, ofProduct] = await Promise.all([
      checkFile(app, link, files),
      checkProductOnce(products, link, () => checkProductAtHome(app, ofShop, link)),
    ]);
    return [...ofFile, ...ofProduct];
  };
}

/** Whatever its file, a product can be had or not; only a refusal that names the file is of the links of that file alone. */
async function checkProductOnce(
  products: Map<string, Promise<LinkProblem[]>>,
  { productUid, pageCount, envelopeProductUid, envelopesPerPiece, fileUrl }: CheckedLink,
  check: () => Promise<LinkProblem[]>,
): Promise<LinkProblem[]> {
  const product = [productUid, pageCount, envelopeProductUid, envelopesPerPiece, fileUrl === null];
  const found = await once(products, JSON.stringify(product), check);
  const namesFile = fileUrl !== null && found.some(({ field }) => field === 'fileUrl');
  return namesFile ? once(products, JSON.stringify([...product, fileUrl]), check) : found;
}

async function checkProductAtHome(
  app: App,
  ofShop: { shop: Shop; accountId: number },
  link: CheckedLink,
): Promise<LinkProblem[]> {
  const country = await readShopCountry(app, ofShop.shop);
  return country === null ? [NO_COUNTRY] : checkProduct(app, ofShop, link, country);
}
