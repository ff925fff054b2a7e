import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import { PrintAccounts, Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { hashRatesToken } from '../../../src/rates/rates-address.ts';
import { DEMO_PRINT_KEY } from '../../../sandbox/demo.ts';
import { variantSeeds } from '../../../sandbox/store/import/seed-variants.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { openPrintEndpoints, openPrintProxy, type PrintEndpoints } from '../print-endpoints.ts';
import { addShop, allowConnections, post, signBody } from '../test-app.ts';

interface Quote {
  itemReferenceIds: string[];
  shipmentMethods: Record<string, unknown>[];
}
/** Changes each quote of the service on its way to Platen. Null leaves quotes unchanged. */
let alterQuotes: ((quote: Quote) => Quote[]) | null = null;
let endpoints: PrintEndpoints;
let proxy: Awaited<ReturnType<typeof openPrintProxy>>;
let shop: Shop;
let token: string;

beforeAll(async () => {
  proxy = await openPrintProxy(
    async (path, ask) => {
      const { status, text } = await ask();
      if (!alterQuotes || path !== QUOTE.path) return { status, text };
      const body = JSON.parse(text) as { quotes: Quote[] };
      return { status, text: JSON.stringify({ ...body, quotes: body.quotes.flatMap(alterQuotes) }) };
    },
    () => endpoints.printUrl,
  );
  endpoints = await openPrintEndpoints({ PRINT_ORDER_URL: proxy.url });
});

afterAll(async () => {
  await endpoints.close();
  proxy.close();
});

beforeEach(async () => {
  alterQuotes = null;
  await endpoints.control('POST', '/faults', []);
  token = randomBytes(32).toString('base64url');
  const { id: printAccountId } = await findOrCreatePrintAccount(endpoints.app, DEMO_PRINT_KEY);
  const { id } = await addShop(endpoints.app.db);
  await endpoints.app.db.getRepository(Shops).update({ id }, { printAccountId, ratesTokenHash: hashRatesToken(token) });
  await changeShopSettings({}, id);
  const printed = variantSeeds.filter(({ productUid }) => productUid !== null);
  const links = printed.map((seed, index) => ({
    shopId: id,
    shopifyVariantId: `gid://shopify/ProductVariant/${index + 1}`,
    sku: seed.sku,
    productUid: seed.productUid ?? '',
    fileUrl: seed.printFileUrl,
    pageCount: seed.pageCount,
  }));
  await endpoints.app.db.getRepository(PrintLinks).insert(links);
  shop = await endpoints.app.db.getRepository(Shops).findOneByOrFail({ id });
});

async function changeShopSettings(settings: Record<string, unknown>, id = shop.id): Promise<void> {
  await endpoints.app.db.getRepository(Shops).update({ id }, { settings: { liveRates: true, ...settings } });
}

const FIXTURE = new URL('../../fixtures/shopify/doc_carrier_service_rate_request.json', import.meta.url);
const recorded = JSON.parse(readFileSync(FIXTURE, 'utf8')) as { rate: Record<string, unknown> };

/** Variant 1 is the small poster, the demo's first printed variant. */
function createItem(variant: number | null, quantity = 1, change: Record<string, unknown> = {}) {
  const [first] = recorded.rate['items'] as Record<string, unknown>[];
  return { ...first, variant_id: variant, quantity, fulfillment_service: 'platen', ...change };
}

/** Returns Shopify's own example with these items, for a destination without a name and street, as some checkouts send it. */
function createCart(items: unknown[], change: Record<string, unknown> = {}) {
  const destination = { ...(recorded.rate['destination'] as object), name: null, address1: null, address2: null };
  return { rate: { ...recorded.rate, destination, items, ...change } };
}

interface RatesResponse {
  status: number;
  rates: Record<string, string>[];
}

async function ask(
  body: unknown,
  { at = token, headers = {} }: { at?: string; headers?: Record<string, string> } = {},
) {
  const answer = await post(
    `${endpoints.url}/rates/${at}`,
    typeof body === 'string' ? body : JSON.stringify(body),
    headers,
  );
  const parsed = (await answer.json()) as { rates?: RatesResponse['rates'] };
  return { status: answer.status, rates: parsed.rates ?? [] };
}

/** Counts the responses by source since the app started. */
async function countBySource(): Promise<Record<string, number>> {
  const text = await (await fetch(`${endpoints.url}/metrics`)).text();
  const found = [...text.matchAll(/^platen_rates_total\{source="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(found.map(([, source, count]) => [source, Number(count)]));
}

/** Counts the responses by source while `act` runs. */
async function countBySourceDuring(act: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await countBySource();
  await act();
  const changed = Object.entries(await countBySource()).map(([source, count]) => [
    source,
    count - (before[source] ?? 0),
  ]);
  return Object.fromEntries(changed.filter(([, count]) => count !== 0));
}

/** Counts the requests that hit a print service fault while `act` runs. The stand-in's counter is never reset. */
async function countFaults(act: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const { injected } = (await endpoints.control('GET', '/faults')) as { injected: Record<string, number> };
    return Object.values(injected).reduce((sum, times) => sum + times, 0);
  };
  const before = await count();
  await act();
  return (await count()) - before;
}

const QUOTE = { path: '/v4/orders:quote' };
const FALLBACK = [{ name: 'Standard', countries: ['*'], amount: '6.90', perItem: '0.50' }];
const toPrices = ({ rates }: RatesResponse) => rates.map(({ total_price: price }) => Number(price));

describe('checkouts with items to print', () => {
  test('a repeated checkout gets cached rates for a limited time, with the current margin', async () => {
    const first = await ask(createCart([createItem(1, 2)]));
    await endpoints.control('POST', '/faults', [{ ...QUOTE, kind: 'status', status: 500 }]);
    await changeShopSettings({ rateMargin: { amount: '1.00' } });
    let again: RatesResponse = { status: 0, rates: [] };
    expect(await countBySourceDuring(async () => void (again = await ask(createCart([createItem(1, 2)]))))).toEqual({
      cache: 1,
    });
    expect(toPrices(again)).toEqual(toPrices(first).map((price) => price + 100));
  });

  test('concurrent checkouts cause one quote request and, after a failure, no immediate retry', async () => {
    await endpoints.control('POST', '/faults', [{ ...QUOTE, kind: 'status', status: 500 }]);
    await changeShopSettings({ fallbackRates: FALLBACK });
    const askSixTimes = async (): Promise<void> => {
      const asked = await Promise.all([1, 2, 3, 4, 5].map(() => ask(createCart([createItem(2, 3)]))));
      asked.push(await ask(createCart([createItem(2, 3)])));
      expect(asked.map(toPrices)).toEqual(Array(6).fill([840]));
    };
    expect(await countFaults(askSixTimes)).toBe(1);
  });
});

describe('carts with printed items and the merchant’s own stock', () => {
  const own = createItem(4711, 2, { fulfillment_service: 'manual' });

  test('a mixed cart without a price for the merchant’s own stock gets the shop’s table or, without a table, the backup rates', async () => {
    expect((await ask(createCart([createItem(3), own]))).status).toBe(503);
    await changeShopSettings({ fallbackRates: FALLBACK });
    expect(toPrices(await ask(createCart([createItem(3), own])))).toEqual([840]);
  });

  test('a cart counts an ignored variant as the merchant’s own stock, and ignores items that need no shipping', async () => {
    const variant = { shopId: shop.id, shopifyVariantId: 'gid://shopify/ProductVariant/5', status: 'ignored' as const };
    await endpoints.app.db.getRepository(VariantConnections).insert(variant);
    await changeShopSettings({ ownStockRates: [{ countries: ['*'], amount: '3' }] });
    const printed = toPrices(await ask(createCart([createItem(3)])));
    const giftCard = createItem(4712, 1, { requires_shipping: false });
    expect(toPrices(await ask(createCart([createItem(3), createItem(5), giftCard])))).toEqual(
      printed.map((price) => price + 300),
    );
  });

  test('a cart with nothing to print gets no rates and requests no quote', async () => {
    await changeShopSettings({ fallbackRates: FALLBACK });
    await endpoints.control('POST', '/faults', [{ ...QUOTE, kind: 'status', status: 500 }]);
    let answered: RatesResponse | null = null;
    const asked = async () => void (answered = await ask(createCart([own, createItem(null)])));
    const met = await countFaults(async () => expect(await countBySourceDuring(asked)).toEqual({ none: 1 }));
    expect([met, answered]).toEqual([0, { status: 200, rates: [] }]);
  });
});

describe('checkouts without usable prices from the print service', () => {
  test.each([
    ['responds with 500', { kind: 'status', status: 500 }],
    ['refuses the cart', { kind: 'status', status: 422 }],
    ['refuses the key', { kind: 'status', status: 401 }],
    ['truncates its response', { kind: 'truncate' }],
  ])('a checkout gets the shop’s table if the print service %s', async (_, fault) => {
    await changeShopSettings({ fallbackRates: FALLBACK });
    await endpoints.control('POST', '/faults', [{ ...QUOTE, ...fault }]);
    let answered: RatesResponse | null = null;
    expect(await countBySourceDuring(async () => void (answered = await ask(createCart([createItem(1)]))))).toEqual({
      fallback: 1,
    });
    expect(answered).toMatchObject({
      status: 200,
      rates: [{ service_name: 'Standard', service_code: 'platen:normal', currency: 'USD', total_price: '740' }],
    });
  });

  test('a checkout gets 503, and therefore the backup rates, if the shop’s table lacks its country', async () => {
    await endpoints.control('POST', '/faults', [{ ...QUOTE, kind: 'status', status: 500 }]);
    const asked = async () => expect((await ask(createCart([createItem(1)]))).status).toBe(503);
    expect(await countBySourceDuring(asked)).toEqual({ failed: 1 });
    await changeShopSettings({ fallbackRates: [{ name: 'At home', countries: ['DE'], amount: '1' }] });
    expect((await ask(createCart([createItem(1)]))).status).toBe(503);
    await endpoints.app.db.getRepository(Shops).update({ id: shop.id }, { printAccountId: null });
    expect((await ask(createCart([createItem(1)]))).status).toBe(503);
  });

  test.each<[string, Record<string, unknown>, (quote: Quote) => Quote[]]>([
    ['quotes only one of two items', {}, (quote) => [{ ...quote, itemReferenceIds: ['1'] }]],
    ['quotes every item twice', {}, (quote) => [quote, quote]],
    [
      'splits the quote although the shop does not allow that',
      { allowMultipleQuotes: false },
      (quote) => quote.itemReferenceIds.map((id) => ({ ...quote, itemReferenceIds: [id] })),
    ],
    ['quotes nothing', {}, () => []],
  ])('a checkout gets the shop’s table if the service %s, as the order would be held', async (_, settings, change) => {
    await changeShopSettings({ fallbackRates: FALLBACK, ...settings });
    alterQuotes = change;
    expect(toPrices(await ask(createCart([createItem(1), createItem(2)])))).toEqual([790]);
    expect((await changeShopSettings(settings), await ask(createCart([createItem(1), createItem(2)]))).status).toBe(
      503,
    );
  });

  test.each([
    ['its key is refused', { state: 'refused' as const }],
    ['its payment is refused', { paymentRefusedAt: new Date() }],
  ])('no quote is requested from an account if %s', async (_, paused) => {
    const { id } = await findOrCreatePrintAccount(endpoints.app, `${DEMO_PRINT_KEY}-${randomBytes(4).toString('hex')}`);
    await endpoints.app.db.getRepository(PrintAccounts).update({ id }, paused);
    await endpoints.app.db.getRepository(Shops).update({ id: shop.id }, { printAccountId: id });
    await endpoints.control('POST', '/faults', [{ ...QUOTE, kind: 'status', status: 500 }]);
    await changeShopSettings({ fallbackRates: FALLBACK });
    expect(await countFaults(async () => expect(toPrices(await ask(createCart([createItem(1)])))).toEqual([740]))).toBe(
      0,
    );
  });

  test('a checkout gets no rates, not even from the table, if the service does not ship to its country', async () => {
    await changeShopSettings({ fallbackRates: FALLBACK });
    const destination = { country: 'KP', postal_code: '999093', province: null, city: 'Pyongyang' };
    expect(await ask(createCart([createItem(1)], { destination }))).toEqual({ status: 200, rates: [] });
  });
});

describe('access to the rates address', () => {
  const body = () => JSON.stringify(createCart([createItem(1)]));

  test('an unknown address gets 404, whatever is sent to it', async () => {
    const at = randomBytes(32).toString('base64url');
    for (const sent of [body(), 'x', 'x'.repeat(1025 * 1024)]) expect((await ask(sent, { at })).status).toBe(404);
  });

  test('the rates address of a shop that offers no rates or has removed Platen returns 404', async () => {
    await changeShopSettings({ liveRates: false });
    expect((await ask(body())).status).toBe(404);
    await changeShopSettings({});
    await endpoints.app.db.getRepository(Shops).update({ id: shop.id }, { state: 'uninstalled' });
    expect((await ask(body())).status).toBe(404);
  });

  test('a shop that needs a new sign-in still offers rates to its buyers', async () => {
    await endpoints.app.db.getRepository(Shops).update({ id: shop.id }, { state: 'needs_sign_in' });
    expect((await ask(body())).rates).toHaveLength(3);
  });

  test('a signature is optional but, if present, must be valid and belong to this shop', async () => {
    const signed = (of: string, by = signBody(body())) => ({
      headers: { 'X-Shopify-Hmac-Sha256': by, 'X-Shopify-Shop-Domain': of },
    });
    expect((await ask(body(), signed(shop.domain))).status).toBe(200);
    expect((await ask(body(), { headers: { 'X-Shopify-Hmac-Sha256': signBody(body()) } })).status).toBe(200);
    expect((await ask(body(), signed(shop.domain, signBody(body(), 'other')))).status).toBe(401);
    expect((await ask(body(), signed('other.myshopify.com'))).status).toBe(401);
  });

  test('a checkout gets 503, and therefore the backup rates, during a database outage', async () => {
    await allowConnections(endpoints.app.databaseUrl, false);
    try {
      expect((await ask(body())).status).toBe(503);
    } finally {
      await allowConnections(endpoints.app.databaseUrl, true);
    }
  });
});

describe('requests for rates', () => {
  test.each([
    ['', 400],
    ['[]', 400],
    ['{}', 400],
    [JSON.stringify(createCart([createItem(1, -1)])), 400],
    [JSON.stringify(createCart([createItem(1)], { currency: null })), 400],
    [JSON.stringify(createCart([createItem(1)], { destination: { country: 'Canada' } })), 400],
    [JSON.stringify({ rate: 'x'.repeat(1023 * 1024) }), 400],
    [JSON.stringify({ rate: 'x'.repeat(1025 * 1024) }), 413],
  ])('the request for rates %.40s gets %i', async (sent, status) => {
    expect((await ask(sent)).status).toBe(status);
  });

  test('the log contains neither the rates address nor the buyer’s address', async () => {
    const destination = {
      country: 'CA',
      postal_code: 'H0H0H0',
      province: 'QC',
      city: 'Chibougamau',
      name: 'Marie Tremblay',
    };
    await endpoints.control('POST', '/faults', [{ ...QUOTE, kind: 'status', status: 422 }]);
    await ask(createCart([createItem(1)], { destination }));
    const logged = endpoints.app.logged();
    for (const secret of [token, 'H0H0H0', 'Chibougamau', 'Tremblay']) expect(logged).not.toContain(secret);
    expect(logged).toContain('a cart could not be quoted');
  });
});
