import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { openLinkCheck } from '../../../src/products/check-link/open-link-check.ts';
import { photoBooks } from '../../../sandbox/print/catalog/photo-books.ts';
import { variantSeeds } from '../../../sandbox/store/import/seed-variants.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { PDF, PNG, startFileServer } from '../../print/files/file-server.ts';

const NO_ENVELOPES = { envelopeProductUid: null, envelopesPerPiece: null };
/** A product that is delivered only in northern Europe. */
const NORDIC = photoBooks.products.find(({ supportedCountries }) => !supportedCountries.includes('US'))?.productUid;

let platen: Platen;
beforeAll(async () => void (platen = await startPlaten({ time: 'real', advanceSeconds: null })));
afterAll(() => platen.stop());

/** Returns the app with file checks switched on. */
function withFileChecks(): App {
  return { ...platen.app, config: { ...platen.app.config, checksPrintFiles: true } };
}

/** Returns a shop with its print account, as `openLinkCheck` expects them. */
function ofShop(shop: Shop = platen.shop): { shop: Shop; accountId: number } {
  if (shop.printAccountId === null) throw new Error('The demo shop has no print account.');
  return { shop, accountId: shop.printAccountId };
}

test('all print links of the demo shop pass the check in the sandbox, which fetches no files', async () => {
  const links = variantSeeds.flatMap(({ productUid, printFileUrl: fileUrl, pageCount }) =>
    productUid === null ? [] : [{ productUid, fileUrl, pageCount, ...NO_ENVELOPES }],
  );
  expect(links.length).toBeGreaterThan(2);
  const check = openLinkCheck(platen.app, ofShop());
  for (const link of links) expect(await check(link)).toEqual([]);
});

test('a check covers the file and the product of a link, for the country of the store', async () => {
  const files = await startFileServer((request, response) => void response.end(request.url === '/png' ? PNG : PDF));
  const [productUid, pageCount] = [NORDIC ?? '', 30];
  const bad = { productUid, fileUrl: files.url('/png').href, pageCount, ...NO_ENVELOPES };
  const found = await openLinkCheck(withFileChecks(), ofShop(), files.network)(bad);
  expect(found.map(({ code }) => code)).toEqual(['file_needs_pdf', 'not_for_country']);
  expect(found[1]?.message).toContain('United States');

  const seed = variantSeeds.find((one) => one.productUid !== null && one.pageCount === null);
  const good = {
    productUid: seed?.productUid ?? '',
    fileUrl: files.url('/pdf').href,
    pageCount: null,
    ...NO_ENVELOPES,
  };
  expect(await openLinkCheck(withFileChecks(), ofShop(), files.network)(good)).toEqual([]);
  expect(files.requests.map(({ url }) => url)).toEqual(['/png', '/pdf']);
});

test('two link checks, such as those of two shops, never share the result of a file check', async () => {
  const files = await startFileServer((_request, response) => void response.end(PDF));
  const link = { productUid: 'any', fileUrl: files.url('/pdf').href, pageCount: null, ...NO_ENVELOPES };
  for (let time = 0; time < 2; time += 1) {
    const check = openLinkCheck(withFileChecks(), ofShop(), files.network);
    await Promise.all([check(link), check(link)]);
  }
  expect(files.requests).toHaveLength(2);
});

test('a check fails if the shop has to sign in again', async () => {
  const shop = { ...platen.shop, id: platen.shop.id + 1_000 };
  const link = { productUid: 'any', fileUrl: null, pageCount: null, ...NO_ENVELOPES };
  await expect(openLinkCheck(platen.app, ofShop(shop))(link)).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
});
