import { createHmac, randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import { PrintAccounts, Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { DEMO_PRINT_KEY } from '../../../sandbox/demo.ts';
import { variantSeeds } from '../../../sandbox/store/import/seed-variants.ts';
import { openPrintEndpoints, openPrintProxy, type PrintEndpoints } from '../print-endpoints.ts';
import { addShop, allowConnections } from '../test-app.ts';

const HOUR_MS = 3_600_000;
const [SECRET, OLDER] = ['sandbox-secret', 'older-secret'];
const QUOTE = '/v4/orders:quote';
const seed = variantSeeds.find(({ sku }) => sku === 'POSTER-30X40');

let proxy: Awaited<ReturnType<typeof openPrintProxy>>;
let endpoints: PrintEndpoints;
let shop: Shop;
/** The variant of the shop's print link. */
let variant: string;
/** The number of quotes that reached the print service, and whether the service fails. */
let quotes = 0;
let isFailing = false;

beforeAll(async () => {
  proxy = await openPrintProxy(
    async (path, ask) => {
      if (path === QUOTE) quotes += 1;
      return isFailing ? { status: 500, text: '{}' } : ask();
    },
    () => endpoints.printUrl,
  );
  endpoints = await openPrintEndpoints(
    { PRINT_ORDER_URL: proxy.url, SHOPIFY_API_SECRET_OLD: OLDER },
    {
      rules: {
        estimates: { atOnce: 1, burst: 3, perSecond: 0.000_1 },
        productEstimates: { atOnce: 1, burst: 2, perSecond: 0.000_1 },
        visitors: { atOnce: 1_000, burst: 100, perSecond: 0.000_1 },
      },
    },
  );
});

afterAll(async () => {
  vi.restoreAllMocks();
  await endpoints.close();
  proxy.close();
});

beforeEach(async () => {
  isFailing = false;
  ({ shop, variant } = await openShop());
  quotes = 0;
});

/** Opens a shop that prints one variant. */
async function openShop(): Promise<{ shop: Shop; variant: string }> {
  const { id: printAccountId } = await findOrCreatePrintAccount(endpoints.app, DEMO_PRINT_KEY);
  const { id } = await addShop(endpoints.app.db);
  const shops = endpoints.app.db.getRepository(Shops);
  await shops.update({ id }, { printAccountId });
  const number = String(randomInt(1_000_000_000));
  await addLink(id, { shopifyVariantId: `gid://shopify/ProductVariant/${number}` });
  return { shop: await shops.findOneByOrFail({ id }), variant: number };
}

async function addLink(
  shopId: number,
  target: { shopifyVariantId?: string; sku?: string; fileUrl?: string },
): Promise<void> {
  const link = { productUid: seed?.productUid ?? '', fileUrl: seed?.printFileUrl ?? null };
  await endpoints.app.db.getRepository(PrintLinks).insert({ shopId, ...link, ...target });
}

interface EstimateResponse {
  status: number;
  body: { from: string; until: string } | null;
}

/** Sends a request as the store's page does through Shopify, which adds the shop, the time and the signature. */
async function ask(
  wish: Record<string, string>,
  { domain = shop.domain, secret = SECRET, at = Date.now(), change = (_query: URLSearchParams): void => {} } = {},
): Promise<EstimateResponse> {
  const query = new URLSearchParams({ country: 'DE', ...wish });
  query.append('shop', domain);
  query.append('path_prefix', '/apps/platen');
  query.append('logged_in_customer_id', '');
  query.append('timestamp', String(Math.floor(at / 1000)));
  const values = [...new Set(query.keys())].map((name) => `${name}=${query.getAll(name).join(',')}`);
  query.append('signature', createHmac('sha256', secret).update(values.toSorted().join('')).digest('hex'));
  change(query);
  const answer = await fetch(`${endpoints.url}/proxy/estimate?${query.toString()}`);
  const text = await answer.text();
  return { status: answer.status, body: answer.status === 200 ? (JSON.parse(text) as EstimateResponse['body']) : null };
}

const NO_ESTIMATE: EstimateResponse = { status: 204, body: null };

describe('requests that Shopify did not sign for this shop', () => {
  test.each<[string, Parameters<typeof ask>[1]]>([
    ['without a signature', { change: (query) => query.delete('signature') }],
    ['signed with another secret', { secret: 'other' }],
    ['signed two minutes ago', { at: Date.now() - 120_000 }],
    ['signed in the future', { at: Date.now() + 120_000 }],
    ['whose shop was changed after signing', { change: (query) => query.set('shop', 'other.myshopify.com') }],
    ['whose variant was changed after signing', { change: (query) => query.set('variant', '1') }],
    ['to which a shop was added after signing', { change: (query) => query.append('shop', 'other.myshopify.com') }],
    ['with a domain that is not a shop', { domain: 'example.com' }],
  ])('a request %s gets 401', async (_title, change) => {
    expect((await ask({ variant }, change)).status).toBe(401);
    expect(quotes).toBe(0);
  });

  test('a signed request with two shops or times gets 401, because a visitor may have added one', async () => {
    expect((await ask({ variant, shop: 'other.myshopify.com' })).status).toBe(401);
    expect((await ask({ variant, timestamp: String(Math.floor(Date.now() / 1000)) })).status).toBe(401);
  });

  test('a request that is signed with the secret before the last rotation is accepted', async () => {
    expect((await ask({ variant }, { secret: OLDER })).status).toBe(200);
  });

  test('a visitor’s own parameters do not break the signature', async () => {
    expect((await ask({ variant, extra: 'a b+c&d=é', 'x-y': '1' })).status).toBe(200);
  });
});

describe('estimates', () => {
  test('the estimate for a printed variant contains the days on which it is expected to arrive', async () => {
    const { status, body } = await ask({ variant });
    expect(status).toBe(200);
    expect(Object.keys(body ?? {})).toEqual(['from', 'until']);
    const today = new Date().toISOString().slice(0, 10);
    expect((body?.from ?? '') > today && (body?.until ?? '') >= (body?.from ?? '')).toBe(true);
  });

  test('a variant has an estimate if a print link has its SKU', async () => {
    await addLink(shop.id, { sku: 'ANY-SKU' });
    expect((await ask({ variant: '77', sku: 'ANY-SKU' })).status).toBe(200);
    expect(await ask({ variant: '77', sku: 'OTHER' })).toEqual(NO_ESTIMATE);
  });

  test.each([
    ['a variant without a print link', { variant: '78' }],
    ['no variant', {}],
    ['a variant that is not a number', { variant: 'gid://shopify/ProductVariant/1' }],
    ['a country that is not a code', { variant: '1', country: 'Germany' }],
  ])('%s has no estimate, and causes no quote', async (_title, wish) => {
    expect(await ask(wish)).toEqual(NO_ESTIMATE);
    expect(quotes).toBe(0);
  });

  test('a variant that the merchant ships has no estimate', async () => {
    const shopifyVariantId = `gid://shopify/ProductVariant/${variant}`;
    await endpoints.app.db
      .getRepository(VariantConnections)
      .insert({ shopId: shop.id, shopifyVariantId, status: 'ignored' });
    expect(await ask({ variant })).toEqual(NO_ESTIMATE);
  });

  test('a shop that prints only at Platen’s location has estimates only for variants stocked there', async () => {
    const { manager } = endpoints.app.db;
    await manager.update(Shops, { id: shop.id }, { settings: { printsAtMerchantLocations: false } });
    await addLink(shop.id, { shopifyVariantId: 'gid://shopify/ProductVariant/79' });
    await manager.query(
      `insert into variants_in_store (shop_id, shopify_variant_id, stocked_at) values ($1, 'gid://shopify/ProductVariant/79', now())`,
      [shop.id],
    );
    expect(await ask({ variant })).toEqual(NO_ESTIMATE);
    expect((await ask({ variant: '79' })).status).toBe(200);
  });

  test('a shop without Platen, or without a working print account, has no estimates', async () => {
    const { manager } = endpoints.app.db;
    expect(await ask({ variant }, { domain: 'unknown.myshopify.com' })).toEqual(NO_ESTIMATE);
    await manager.update(Shops, { id: shop.id }, { state: 'uninstalled' });
    expect(await ask({ variant })).toEqual(NO_ESTIMATE);
    const other = await openShop();
    await manager.update(PrintAccounts, { id: other.shop.printAccountId ?? 0 }, { state: 'refused' });
    const asked = await ask({ variant: other.variant }, { domain: other.shop.domain });
    await manager.update(PrintAccounts, { id: other.shop.printAccountId ?? 0 }, { state: 'working' });
    expect(asked).toEqual(NO_ESTIMATE);
  });
});

describe('quotes for product pages', () => {
  let elapsedMs = 0;
  const now = performance.now.bind(performance);
  /** Advances the clock of this process's caches. The clock never goes back. */
  function advanceClock(milliseconds: number): void {
    elapsedMs += milliseconds;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + elapsedMs);
  }

  test('many visitors to a page cause only one quote in six hours', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask({ variant })));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
    advanceClock(5 * HOUR_MS);
    expect((await ask({ variant })).status).toBe(200);
    expect(quotes).toBe(1);
  });

  test('after six hours, a visitor immediately gets the previous estimate while a new one is requested', async () => {
    const first = await ask({ variant });
    isFailing = true;
    advanceClock(7 * HOUR_MS);
    expect(await ask({ variant })).toEqual(first);
    await expect.poll(() => quotes).toBe(2);
    expect(await ask({ variant })).toEqual(first);
    advanceClock(6 * HOUR_MS);
    expect(await ask({ variant })).toEqual(NO_ESTIMATE);
  });

  test('a shop’s pages cannot cause more quotes than the shop’s limit allows, and other shops are not affected', async () => {
    await addLink(shop.id, {
      shopifyVariantId: 'gid://shopify/ProductVariant/80',
      fileUrl: 'https://files.example/80.pdf',
    });
    for (const one of [variant, '80']) for (const country of ['DE', 'FR', 'IT']) await ask({ variant: one, country });
    expect(quotes).toBe(3);
    expect(await ask({ variant: '80', country: 'BE' })).toEqual(NO_ESTIMATE);
    expect((await ask({ variant, country: 'DE' })).status).toBe(200);
    const other = await openShop();
    expect((await ask({ variant: other.variant }, { domain: other.shop.domain })).status).toBe(200);
  });

  test('a visitor who invents SKUs for one variant causes one quote, and other pages keep their estimates', async () => {
    // On a busy machine, the first visitor does not wait for the estimate, and a later one gets it.
    await expect.poll(async () => (await ask({ variant })).status).toBe(200);
    const wishes = Array.from({ length: 80 }, (_, index) => ({ variant, sku: `invented-${index}` }));
    const asked = await Promise.all(wishes.map((wish) => ask(wish)));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
    expect(quotes).toBe(1);
    expect((await ask({ variant, country: 'FR' })).status).toBe(200);
    expect((await ask({ variant })).status).toBe(200);
  });

  test('a visitor who invents countries causes no quote', async () => {
    for (const country of ['AA', 'XX', 'ZZ', 'EU', 'UK']) expect(await ask({ variant, country })).toEqual(NO_ESTIMATE);
    expect(quotes).toBe(0);
  });

  test('a changed print link gets its own estimate within ten minutes', async () => {
    await ask({ variant });
    await endpoints.app.db.manager.update(
      PrintLinks,
      { shopId: shop.id },
      { fileUrl: 'https://files.example/new.pdf' },
    );
    advanceClock(11 * 60_000);
    expect((await ask({ variant })).status).toBe(200);
    expect(quotes).toBe(2);
  });

  test('a page gets no estimate while the print service fails, and gets one a few minutes after it recovers', async () => {
    isFailing = true;
    expect(await ask({ variant })).toEqual(NO_ESTIMATE);
    isFailing = false;
    expect(await ask({ variant })).toEqual(NO_ESTIMATE);
    expect(quotes).toBe(1);
    advanceClock(180_000);
    // On a busy machine, the first visitor does not wait for the estimate, and a later one gets it.
    await expect.poll(async () => (await ask({ variant })).status).toBe(200);
  });

  test('a page gets no estimate while the database is unavailable', async () => {
    await allowConnections(endpoints.app.databaseUrl, false);
    try {
      expect(await ask({ variant })).toEqual(NO_ESTIMATE);
    } finally {
      await allowConnections(endpoints.app.databaseUrl, true);
    }
  });
});
