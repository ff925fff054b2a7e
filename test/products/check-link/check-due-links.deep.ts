import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PrintLinks } from '../../../src/database/products.ts';
import { checkDueLinks } from '../../../src/products/check-link/check-due-links.ts';
import { checkAgain } from '../../../src/products/links/check-again.ts';
import { listLinksPage } from '../../../src/products/links/list-links.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';

const MUG = 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0';
const FILE = 'https://files.example/mug.pdf';
const LONG = { timeout: 60_000, interval: 100 };
/** More than one job checks. */
const MANY = 20;

let platen: Platen;
beforeAll(async () => void (platen = await startPlaten({ advanceSeconds: null })));
afterAll(() => platen.stop());

const save = (sku: string, productUid = MUG) => saveLink(platen.app, platen.shop, { sku, productUid, fileUrl: FILE });

async function shownOf(sku: string) {
  const target = { shopifyVariantId: null, sku };
  const { printLinks } = await listLinksPage(platen.app, platen.shop, { after: null, target });
  return printLinks.find(({ variantId }) => variantId === null);
}
const untilChecked = (sku: string) =>
  expect.poll(async () => (await shownOf(sku))?.checkedAt ?? null, LONG).not.toBeNull();
const dueOf = async (sku: string) => (await platen.app.db.manager.findOneByOrFail(PrintLinks, { sku })).checkAt;

/** With a bug in the quotes of one product. */
function withBug(app: App): App {
  const withKey: App['print']['withKey'] = (...given) => {
    const service = app.print.withKey(...given);
    const quote: typeof service.quote = (request) => {
      if (request.products.some(({ productUid }) => productUid === 'broken')) throw new TypeError('a bug');
      return service.quote(request);
    };
    return { ...service, quote };
  };
  return { ...app, print: { ...app.print, withKey } };
}

test('what is wrong with a link shows soon after it is saved, and goes once it is mended', async () => {
  expect(await save('A', 'mug_that_nobody_makes')).toMatchObject({ problems: [], checkedAt: null });
  await untilChecked('A');
  expect((await shownOf('A'))?.problems).toMatchObject([
    { code: 'unknown_product', field: 'productUid', remedy: expect.any(String) },
  ]);
  expect(await dueOf('A')).toBeNull();
  // Of the new values nothing is known yet.
  expect(await save('A')).toMatchObject({ problems: [], checkedAt: null });
  await untilChecked('A');
  expect((await shownOf('A'))?.problems).toEqual([]);
});

test('a link that is saved again as it was is not checked again', async () => {
  await save('B');
  await untilChecked('B');
  await save('B');
  expect(await dueOf('B')).toBeNull();
});

test('what may pass by itself is checked again later', async () => {
  await platen.control('print', 'POST', '/faults', [
    { path: '/v4/orders:quote', rate: 1, kind: 'status', status: 503 },
  ]);
  await save('C');
  await untilChecked('C');
  await platen.control('print', 'POST', '/faults', []);
  expect((await shownOf('C'))?.problems).toMatchObject([{ code: 'print_service_unavailable' }]);
  const { app } = platen;
  expect((await dueOf('C'))?.getTime()).toBeGreaterThan(app.now().getTime() + 50 * 60_000);
  const inAnHour = { ...app, now: () => new Date(app.now().getTime() + 61 * 60_000) };
  await expect
    .poll(async () => {
      await checkDueLinks(inAnHour, { shopId: platen.shop.id });
      return (await shownOf('C'))?.problems;
    }, LONG)
    .toEqual([]);
});

test('what was mended elsewhere is checked again when somebody asks, all that is wrong or one link', async () => {
  const { app, shop } = platen;
  await save('D', 'mug_that_nobody_makes');
  await save('E');
  await untilChecked('D');
  await untilChecked('E');
  const checkedAt = async (sku: string) => (await shownOf(sku))?.checkedAt;
  const [ofD, ofE] = [await checkedAt('D'), await checkedAt('E')];
  expect(await checkAgain(app, app.db, shop)).toBe(1);
  await expect.poll(() => checkedAt('D'), LONG).not.toBe(ofD);
  expect(await checkedAt('E')).toBe(ofE);
  expect(await checkAgain(app, app.db, shop, { shopifyVariantId: null, sku: 'E' })).toBe(1);
  await expect.poll(() => checkedAt('E'), LONG).not.toBe(ofE);
  await expect(checkAgain(app, app.db, shop, { shopifyVariantId: null, sku: 'NONE' })).rejects.toThrow('no print link');
});

test('a link whose check fails is tried again later and holds up no other', async () => {
  const { app, shop } = platen;
  await app.db.manager.insert(PrintLinks, [
    { shopId: shop.id, sku: 'BROKEN', productUid: 'broken', fileUrl: FILE, checkAt: new Date(0) },
    { shopId: shop.id, sku: 'WHOLE', productUid: MUG, fileUrl: FILE, checkAt: new Date(1) },
  ]);
  await checkDueLinks(withBug(app), { shopId: shop.id });
  expect((await shownOf('WHOLE'))?.checkedAt).not.toBeNull();
  expect(await shownOf('BROKEN')).toMatchObject({ checkedAt: null });
  expect((await dueOf('BROKEN'))?.getTime()).toBeGreaterThan(app.now().getTime());
});

test('while the print service is out nothing is checked in vain, and all is checked once it answers', async () => {
  const { app, shop } = platen;
  await app.db.manager.insert(PrintLinks, {
    shopId: shop.id,
    sku: 'WAITS',
    productUid: MUG,
    fileUrl: FILE,
    checkAt: new Date(0),
  });
  const withKey: App['print']['withKey'] = (...given) => ({ ...app.print.withKey(...given), outageSeconds: () => 1 });
  await checkDueLinks({ ...app, print: { ...app.print, withKey } }, { shopId: shop.id });
  expect(await shownOf('WAITS')).toMatchObject({ checkedAt: null, problems: [] });
  // The job that was put off finds the service there.
  await untilChecked('WAITS');
});

test('of many links all are checked, some by each job', async () => {
  const skus = Array.from({ length: MANY }, (_, index) => `MANY-${index}`);
  for (const sku of skus) await save(sku);
  const left = () =>
    platen.app.db.query('select 1 from print_links where check_at <= now() limit 1').then((rows: unknown[]) => rows);
  await expect.poll(left, LONG).toEqual([]);
  expect(
    await platen.app.db.query('select sku from print_links where checked_at is null and sku like $1', ['MANY-%']),
  ).toEqual([]);
}, 120_000);

test('the links of a shop without a key wait for it', async () => {
  const { app, shop } = platen;
  await app.db.query('update shops set print_account_id = null where id = $1', [shop.id]);
  await save('D');
  await checkDueLinks(app, { shopId: shop.id });
  expect((await shownOf('D'))?.checkedAt).toBeNull();
  await app.db.query('update shops set print_account_id = $2 where id = $1', [shop.id, shop.printAccountId]);
  await checkDueLinks(app, { shopId: shop.id });
  expect(await shownOf('D')).toMatchObject({ problems: [], checkedAt: expect.any(String) });
});
