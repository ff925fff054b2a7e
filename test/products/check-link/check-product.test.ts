import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { checkProduct } from '../../../src/products/check-link/check-product.ts';
import type { LinkProblem } from '../../../src/products/check-link/link-problem.ts';
import type { CheckedLink } from '../../../src/products/check-link/to-check-quote.ts';
import { apparel } from '../../../sandbox/print/catalog/apparel.ts';
import { blankEnvelopes } from '../../../sandbox/print/catalog/blank-envelopes.ts';
import { cards } from '../../../sandbox/print/catalog/cards.ts';
import { photoBooks } from '../../../sandbox/print/catalog/photo-books.ts';
import { startPrintService } from '../../../sandbox/print/start.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';

const uidOf = (products: readonly { productUid: string }[], part = ''): string =>
  products.find(({ productUid }) => productUid.includes(part))?.productUid ?? '';
const CARD = uidOf(cards.products);
const BOOK = uidOf(photoBooks.products);
const KIDS = uidOf(apparel.products, '_gcu_kids_');
const ENVELOPE = uidOf(blankEnvelopes.products);

let home: string;
let print: Awaited<ReturnType<typeof startPrintService>>;
let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'platen-print-'));
  print = await startPrintService({ home, port: 0, advanceSeconds: null, extended: true });
  app = await openTestApp({ SANDBOX_PRINT_PORT: String(print.port) });
});
afterAll(async () => {
  await app.close();
  await print.close();
  rmSync(home, { recursive: true });
});
beforeEach(async () => void (shop = await addShop(app.db)));
afterEach(() => control('/faults', []));

async function control(path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${print.url}/_control${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

/** Changes these settings of the shop, then checks the product of a print link. */
async function check(
  link: Partial<CheckedLink>,
  country = 'US',
  settings: Record<string, unknown> = {},
): Promise<LinkProblem[]> {
  await changeSettings(app, shop, { printKey: `sandbox-key-${shop.id}`, ...settings });
  shop = await findShop(app, shop.id);
  const whole: CheckedLink = {
    productUid: CARD,
    fileUrl: 'https://files.example/card.pdf',
    pageCount: null,
    envelopeProductUid: null,
    envelopesPerPiece: null,
    ...link,
  };
  return checkProduct(app, { shop, accountId: shop.printAccountId ?? 0 }, whole, country);
}

const interfaces: [string, Record<string, unknown>][] = [
  ['the current interface', {}],
  ['the current interface without extended calls', { extendedCalls: false }],
  ['v2', { printInterface: 'v2' }],
  ['v1', { printInterface: 'v1' }],
];

describe.each(interfaces)('the product check through %s', (_name, settings) => {
  test('an available product passes the check, and nothing is ordered', async () => {
    expect(await check({}, 'US', settings)).toEqual([]);
    expect(await (await fetch(`${print.url}/_control/orders`)).json()).toEqual([]);
  });

  test('a UID that is not in any catalog is reported as unknown', async () => {
    const [problem, ...others] = await check({ productUid: 'mug_that_is_none' }, 'US', settings);
    expect(problem).toMatchObject({ code: 'unknown_product', field: 'productUid', mayPass: false });
    expect(problem?.message).toContain('mug_that_is_none');
    expect(others).toEqual([]);
  });

  test("a product that is not delivered to the shop's country is reported with the country", async () => {
    expect(await check({ productUid: KIDS }, 'CA', settings)).toEqual([]);
    const [problem] = await check({ productUid: KIDS }, 'DE', settings);
    expect(problem).toMatchObject({ code: 'not_for_country', field: 'productUid', mayPass: false });
    expect(problem?.message).toContain('Germany');
  });

  test('a shop in a country to which the service delivers nothing is reported with the field country', async () => {
    expect(await check({}, 'CU', settings)).toMatchObject([{ code: 'country_not_supported', field: 'country' }]);
  });

  test('a link without a file for a printable product is reported for the field fileUrl', async () => {
    expect(await check({ fileUrl: null }, 'US', settings)).toMatchObject([
      { code: 'product_refused', field: 'fileUrl', mayPass: false },
    ]);
  });

  test('a refused key is reported without its value', async () => {
    const [problem] = await check({}, 'US', { ...settings, printKey: 'not-a-key-of-the-service' });
    expect(problem).toMatchObject({ code: 'key_refused', field: 'printKey', mayPass: false });
    expect(JSON.stringify(problem)).not.toContain('not-a-key');
  });
});

test.each(['BR', 'JP'])('one unit can be quoted for an address in %s through each interface', async (country) => {
  for (const [, settings] of interfaces) expect(await check({}, country, settings)).toEqual([]);
});

test('a product with pages needs a page count', async () => {
  expect(await check({ productUid: BOOK, pageCount: 30 })).toEqual([]);
  expect(await check({ productUid: BOOK })).toMatchObject([{ code: 'product_refused', field: 'pageCount' }]);
});

test('through v2, the envelope is quoted with the product', async () => {
  const v2 = { printInterface: 'v2' };
  const envelopes = { envelopeProductUid: ENVELOPE, envelopesPerPiece: 1 };
  expect(await check(envelopes, 'US', v2)).toEqual([]);
  expect(await check({ ...envelopes, envelopeProductUid: 'no_envelope' }, 'US', v2)).toMatchObject([
    { code: 'unknown_product', field: 'envelopeProductUid', message: expect.stringContaining('no_envelope') },
  ]);
  expect(await check({ ...envelopes, envelopeProductUid: CARD }, 'US', v2)).toMatchObject([
    { code: 'product_refused', field: 'envelopeProductUid' },
  ]);
});

test('a product that the account may not use is reported differently from a refused key', async () => {
  await control('/faults', [{ path: '/v4/', rate: 1, kind: 'status', status: 403, effect: 'none' }]);
  expect(await check({})).toMatchObject([{ code: 'product_refused', field: 'productUid' }]);
});

describe('a refusal without a reason', () => {
  const unnamed = { path: '/v4/', rate: 1, kind: 'status', status: 400, effect: 'none' };

  test('a refused product that is missing from the catalog is reported as unknown', async () => {
    await control('/faults', [unnamed]);
    expect(await check({ productUid: 'mug_that_is_none' })).toMatchObject([{ code: 'unknown_product' }]);
  });
});

test.each([
  ['responds with an error', { kind: 'status', status: 500 }, /responds with the error 500/],
  ['receives too many requests', { kind: 'status', status: 429 }, /too many requests/],
  ['closes the connection', { kind: 'reset' }, /does not respond/],
])('a service that %s leaves the product unchecked, with a temporary problem', async (_name, failure, words) => {
  await control('/faults', [{ ...failure, rate: 1, effect: 'none' }]);
  expect(await check({})).toMatchObject([
    { code: 'print_service_unavailable', mayPass: true, message: expect.stringMatching(words) },
  ]);
});
