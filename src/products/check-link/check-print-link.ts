import type { App } from '../../app.ts';
import type { Shop } from '../../database/shops.ts';
import type { FileNetwork } from '../../print/fetch-print-file.ts';
import { checkFile } from './check-file.ts';
import { checkProduct } from './check-product.ts';
import type { LinkProblem } from './link-problem.ts';
import { readShopCountry } from './read-shop-country.ts';
import type { CheckedLink } from './to-check-quote.ts';

const NO_KEY: LinkProblem = {
  code: 'no_print_key',
  field: 'printKey',
  message: 'The product could not be checked: the shop has no API key of the print service yet.',
  remedy: 'Enter the key in the settings.',
  mayPass: true,
};

const NO_COUNTRY: LinkProblem = {
  code: 'no_country',
  field: 'country',
  message: 'The product could not be checked: the store does not say in which country it is.',
  remedy: "Enter the address of the shop in the store's settings.",
  mayPass: true,
};

/**
 * Everything that is wrong with a print link that a merchant saves, an empty list when an order could be printed with it: its file is
 * fetched (`checkFile`), its pages counted where the link has pages, and one piece of its product quoted to the country of the shop (`checkProduct`). It writes nothing, and is to be
 * called in a job: it takes up to 5 s for the file, more than a minute where all of it is read, and the time of a call to the store and to the
 * print service. Never called with
 * an address that a buyer typed. Throws ShopifyError and PlatenError `shop_needs_sign_in` when the store cannot be asked for its country, and
 * PlatenError `cannot_decrypt`.
 */
export async function checkPrintLink(
  app: App,
  shop: Shop,
  link: CheckedLink,
  network?: FileNetwork,
): Promise<LinkProblem[]> {
  const [ofFile, ofProduct] = await Promise.all([checkFile(app, link, network), checkProductAtHome(app, shop, link)]);
  return [...ofFile, ...ofProduct];
}

async function checkProductAtHome(app: App, shop: Shop, link: CheckedLink): Promise<LinkProblem[]> {
  const { printAccountId: accountId } = shop;
  if (accountId === null) return [NO_KEY];
  const country = await readShopCountry(app, shop);
  return country === null ? [NO_COUNTRY] : checkProduct(app, { shop, accountId }, link, country);
}
