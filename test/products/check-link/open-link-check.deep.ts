import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { Shops, type Shop } from '../../../src/database/shops.ts';
import { openLinkCheck } from '../../../src/products/check-link/open-link-check.ts';
import { photoBooks } from '../../../src/sandbox/print/catalog/photo-books.ts';
import { variantSeeds } from '../../../src/sandbox/store/seed-variants.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { PDF, PNG, startFileServer } from '../../print/file-server.ts';

const NO_ENVELOPES = { envelopeProductUid: null, envelopesPerPiece: null };
/** Sold in northern Europe alone. */
const NORDIC = photoBooks.products.find(({ supportedCountries }) => !supportedCountries.includes('US'))?.productUid;

let platen: Platen;
beforeAll(async () => void (platen = await startPlaten({ advanceSeconds: null })));
afterAll(() => platen.stop());

/** The app, as one that fetches the files of links. */
function fetching(): App {
  return { ...platen.app, config: { ...platen.app.config, checksPrintFiles: true } };
}

test('every link of the demo passes in the sandbox, which fetches none of its files', async () => {
  const links = variantSeeds.flatMap(({ productUid, printFileUrl: fileUrl, pageCount }) =>
    productUid === null ? [] : [{ productUid, fileUrl, pageCount, ...NO_ENVELOPES }],
  );
  expect(links.length).toBeGreaterThan(2);
  const check = openLinkCheck(platen.app, platen.shop);
  for (const link of links) expect(await check(link)).toEqual([]);
});

test('a link is checked by its file and by its product, for the country of the store', async () => {
  const files = await startFileServer((request, response) => void response.end(request.url === '/png' ? PNG : PDF));
  const [productUid, pageCount] = [NORDIC ?? '', 30];
  const bad = { productUid, fileUrl: files.url('/png').href, pageCount, ...NO_ENVELOPES };
  const found = await openLinkCheck(fetching(), platen.shop, files.network)(bad);
  expect(found.map(({ code }) => code)).toEqual(['file_needs_pdf', 'not_for_country']);
  expect(found[1]?.message).toContain('United States');

  const seed = variantSeeds.find((one) => one.productUid !== null && one.pageCount === null);
  const good = {
    productUid: seed?.productUid ?? '',
    fileUrl: files.url('/pdf').href,
    pageCount: null,
    ...NO_ENVELOPES,
  };
  expect(await openLinkCheck(fetching(), platen.shop, files.network)(good)).toEqual([]);
  expect(files.requests.map(({ url }) => url)).toEqual(['/png', '/pdf']);
});

test('without a key the file alone is checked, and the key is asked for', async () => {
  const { db } = platen.app;
  const { id } = await db.getRepository(Shops).save({ ...withoutId(platen.shop), printAccountId: null });
  const shop = await db.getRepository(Shops).findOneByOrFail({ id });
  const link = { productUid: 'any', fileUrl: 'http://files.example/mug.pdf', pageCount: null, ...NO_ENVELOPES };
  const found = await openLinkCheck(platen.app, shop)(link);
  expect(found).toMatchObject([{ code: 'file_not_https' }, { code: 'no_print_key', field: 'printKey', mayPass: true }]);
});

test('nothing of a file is shared between two checks, and so not between two shops', async () => {
  const files = await startFileServer((_request, response) => void response.end(PDF));
  const link = { productUid: 'any', fileUrl: files.url('/pdf').href, pageCount: null, ...NO_ENVELOPES };
  const shops = [platen.shop, { ...platen.shop, id: platen.shop.id + 1_000, printAccountId: null }];
  for (const shop of shops) {
    const check = openLinkCheck(fetching(), shop, files.network);
    await Promise.all([check(link), check(link)]);
  }
  expect(files.requests).toHaveLength(2);
});

test('a store that takes no token leaves the link unchecked', async () => {
  const shop = { ...platen.shop, id: platen.shop.id + 1_000 };
  const link = { productUid: 'any', fileUrl: null, pageCount: null, ...NO_ENVELOPES };
  await expect(openLinkCheck(platen.app, shop)(link)).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
});

function withoutId({ id: _id, ...shop }: Shop): Omit<Shop, 'id'> {
  return { ...shop, domain: 'keyless.myshopify.com' };
}
