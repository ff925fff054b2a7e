import { Like } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { checkDueLinks } from '../../../src/products/check-link/check-due-links.ts';
import { recheckLinks } from '../../../src/products/links/recheck-links.ts';
import { listLinksPage } from '../../../src/products/links/list-links.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { photoBooks } from '../../../sandbox/print/catalog/photo-books.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { startFileServer } from '../../print/files/file-server.ts';
import { pagesPdf } from './make-pdf.ts';
import { atTime } from '../../helpers/at-time.ts';

const MUG = 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0';
const FILE = 'https://files.example/mug.pdf';
const BOOK = photoBooks.products[0]?.productUid ?? '';
const MANY = 200;

let platen: Platen;
beforeAll(async () => void (platen = await startPlaten({ advanceSeconds: null })));
/** Before each test, the shop has its key and no links, no recheck is enqueued, and the print service responds. */
beforeEach(async () => {
  const { app, shop } = platen;
  await platen.control('print', 'POST', '/faults', []);
  await app.db.query('delete from print_links');
  await app.db.query('update shops set print_account_id = $2 where id = $1', [shop.id, shop.printAccountId]);
  await untilIdle(app);
  await app.db.query('delete from graphile_worker._private_jobs');
});
afterAll(() => platen.stop());

const save = (sku: string, productUid = MUG) => saveLink(platen.app, platen.shop, { sku, productUid, fileUrl: FILE });

async function shownOf(sku: string) {
  const target = { shopifyVariantId: null, sku };
  const { printLinks } = await listLinksPage(platen.app, platen.shop, { after: null, target });
  return printLinks.find(({ variantId }) => variantId === null);
}
const untilChecked = (sku: string) => eventually(async () => (await shownOf(sku))?.checkedAt ?? null).not.toBeNull();
const dueOf = async (sku: string) => (await platen.app.db.manager.findOneByOrFail(PrintLinks, { sku })).checkAt;

/** Returns the app with file checks switched on. Each time the app requests a quote, it calls `look` with the product UID. */
function withQuoteWatcher(app: App, look: (productUid: string) => void): App {
  const withKey: App['print']['withKey'] = (...given) => {
    const service = app.print.withKey(...given);
    const quote: typeof service.quote = (request) => {
      for (const { productUid } of request.products) look(productUid);
      return service.quote(request);
    };
    return { ...service, quote };
  };
  return { ...app, config: { ...app.config, checksPrintFiles: true }, print: { ...app.print, withKey } };
}

/** Adds links that are due and for which no job is enqueued. */
const addDue = (links: { sku: string; productUid: string; fileUrl: string; pageCount?: number }[]) =>
  platen.app.db.manager.insert(
    PrintLinks,
    links.map((link) => ({ shopId: platen.shop.id, checkAt: new Date(0), ...link })),
  );
const findLinks = (skus: string) =>
  platen.app.db.manager.findBy(PrintLinks, { shopId: platen.shop.id, sku: Like(skus) });

test('a problem with a link is shown soon after the link is saved, and disappears once the problem is fixed', async () => {
  expect(await save('A', 'mug_that_nobody_makes')).toMatchObject({ problems: [], checkedAt: null });
  await untilChecked('A');
  expect((await shownOf('A'))?.problems).toMatchObject([
    { code: 'unknown_product', field: 'productUid', remedy: expect.any(String) },
  ]);
  expect(await dueOf('A')).toBeNull();
  await save('A');
  await eventually(async () => (await shownOf('A'))?.problems).toEqual([]);
});

test('a link with a problem that may be temporary is rechecked later', async () => {
  await platen.control('print', 'POST', '/faults', [
    { path: '/v4/orders:quote', rate: 1, kind: 'status', status: 503 },
  ]);
  await save('C');
  await untilChecked('C');
  await platen.control('print', 'POST', '/faults', []);
  expect((await shownOf('C'))?.problems).toMatchObject([{ code: 'print_service_unavailable' }]);
  const { app } = platen;
  expect((await dueOf('C'))?.getTime()).toBeGreaterThan(app.clock.now().getTime() + 50 * 60_000);
  const inAnHour = atTime(app, () => new Date(app.clock.now().getTime() + 61 * 60_000));
  await checkDueLinks(inAnHour, { shopId: platen.shop.id });
  expect((await shownOf('C'))?.problems).toEqual([]);
});

test("a person's request rechecks all links with problems, or one given link", async () => {
  const { app, shop } = platen;
  await save('D', 'mug_that_nobody_makes');
  await save('E');
  await untilChecked('D');
  await untilChecked('E');
  const checkedAt = async (sku: string) => (await shownOf(sku))?.checkedAt;
  const [ofD, ofE] = [await checkedAt('D'), await checkedAt('E')];
  await platen.pass(1_000);
  expect(await recheckLinks(app, app.db, shop)).toBe(1);
  await eventually(() => checkedAt('D')).not.toBe(ofD);
  expect(await checkedAt('E')).toBe(ofE);
  expect(await recheckLinks(app, app.db, shop, { shopifyVariantId: null, sku: 'E' })).toBe(1);
  await eventually(() => checkedAt('E')).not.toBe(ofE);
  await expect(recheckLinks(app, app.db, shop, { shopifyVariantId: null, sku: 'NONE' })).rejects.toThrow(
    'no print link',
  );
});

test('for many links with the same file and product, the file is fetched once and the product quoted once per page count', async () => {
  const files = await startFileServer((_request, response) => void response.end(pagesPdf(30)));
  const link = { productUid: BOOK, fileUrl: files.url('/book.pdf').href };
  const pagesOf = (index: number): number => (index % 2 === 0 ? 30 : 40);
  const skus = Array.from({ length: MANY }, (_, index) => `SHARED-${index}`);
  await addDue(skus.map((sku, index) => ({ sku, ...link, pageCount: pagesOf(index) })));
  let quotes = 0;
  await checkDueLinks(
    withQuoteWatcher(platen.app, () => (quotes += 1)),
    { shopId: platen.shop.id },
    files.network,
  );
  // One request fetches the file's first bytes, and another fetches the whole file.
  expect(files.requests).toHaveLength(2);
  expect(quotes).toBe(2);
  const checked = await findLinks('SHARED-%');
  expect(checked.filter(({ checkedAt, checkAt }) => checkedAt !== null && checkAt === null)).toHaveLength(MANY);
  const codes = checked.map(({ pageCount, problems }) => `${pageCount} ${problems.map(({ code }) => code).join()}`);
  expect(new Set(codes)).toEqual(new Set(['30 ', '40 page_count_differs']));
});

test('a link that is saved again while its file is being fetched stays due', async () => {
  let saved: Promise<unknown> | null = null;
  const files = await startFileServer((_request, response) => {
    saved ??= platen.app.db.manager.update(
      PrintLinks,
      { sku: 'AGAIN-1' },
      { checkAt: new Date(7), updatedAt: new Date() },
    );
    void saved.then(() => response.end(pagesPdf(1)));
  });
  const fileUrl = files.url('/mug.pdf').href;
  await addDue([1, 2].map((index) => ({ sku: `AGAIN-${index}`, productUid: MUG, fileUrl })));
  await checkDueLinks(
    withQuoteWatcher(platen.app, () => {}),
    { shopId: platen.shop.id },
    files.network,
  );
  expect(await shownOf('AGAIN-2')).toMatchObject({ checkedAt: expect.any(String) });
  expect(files.requests).toHaveLength(1);
  // The job above has enqueued another job, which checks this link.
  await untilChecked('AGAIN-1');
});

test('the links of a shop without a key are checked once the shop has a key', async () => {
  const { app, shop } = platen;
  await app.db.query('update shops set print_account_id = null where id = $1', [shop.id]);
  await save('D');
  await checkDueLinks(app, { shopId: shop.id });
  expect((await shownOf('D'))?.checkedAt).toBeNull();
  await app.db.query('update shops set print_account_id = $2 where id = $1', [shop.id, shop.printAccountId]);
  await checkDueLinks(app, { shopId: shop.id });
  expect(await shownOf('D')).toMatchObject({ problems: [], checkedAt: expect.any(String) });
});
