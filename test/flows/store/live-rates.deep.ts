import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { renderAdminPage } from '../../../src/http/pages/admin/render-admin-page.ts';
import { syncCarrierService } from '../../../src/rates/sync-carrier-service.ts';
import { isRatesAddress } from '../../../src/rates/rates-address.ts';
import { DEMO_PRINT_KEY } from '../../../sandbox/demo.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import { CarrierServicesDocument } from '../../../src/shopify/generated/operations.ts';
import { runPlaten } from '../../cli/run-platen.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { eventually } from '../../helpers/eventually.ts';

const BERLIN = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  address1: 'Invalidenstr. 1',
  city: 'Berlin',
  countryCode: 'DE',
};
const FALLBACK = [{ name: 'Standard', countries: ['*'], amount: '6.90' }];

let platen: Platen;
let domain: string;
let variants: { sku: string; variantId: string }[];

beforeAll(async () => {
  // The timeout is longer than a checkout waits for rates, but short enough for the tests in which quotes hang.
  platen = await startPlaten({ time: 'real', environment: { PRINT_TIMEOUT_SECONDS: '6' } });
  ({ domain } = platen.shop);
  variants = (await platen.control('store', 'GET', '/variants')) as typeof variants;
});

afterAll(() => platen.stop());

beforeEach(async () => {
  await platen.control('print', 'POST', '/faults', []);
  await platen.control('store', 'POST', '/faults', []);
});

const readShop = (): Promise<Shop> => findShop(platen.app, platen.shop.id);
const changeStore = (change: Record<string, unknown>) => platen.control('store', 'POST', `/shops/${domain}`, change);
/** Returns the initial HTML of the home page. */
const pageOf = async () => renderAdminPage(platen.app, await readShop(), { path: '/', search: '', locale: 'en' });

interface Shown {
  rates: { service_name: string; service_code: string; total_price: string; currency: string }[];
  backup: boolean;
  status: number | null;
  problems: string[];
}

let places = 0;

/**
 * Returns the rates that a checkout shows for these SKUs. Each request has a different postal code, so that no rate comes from the cache.
 */
async function requestCheckoutRates(lines: Record<string, number>, more: Record<string, unknown> = {}): Promise<Shown> {
  places += 1;
  const items = Object.entries(lines).map(([sku, quantity]) => ({ variantId: idOf(sku), quantity }));
  const destination = { ...BERLIN, zip: String(10_000 + places) };
  return (await platen.control('store', 'POST', '/rates', { destination, items, ...more })) as Shown;
}

function idOf(sku: string): string {
  const found = variants.find((one) => one.sku === sku);
  if (!found) throw new Error(`The demo shop has no ${sku}.`);
  return found.variantId;
}

async function registered() {
  const admin = await openAdmin(platen.app, platen.shop);
  const { carrierServices } = await admin.request(CarrierServicesDocument, { first: 10, after: null });
  return carrierServices.nodes;
}

/** Waits until the job has registered the carrier service, or until it has recorded this problem. */
async function until(problem: string | null, isOn = true): Promise<void> {
  const state = async () => {
    const { ratesProblem, ratesTokenHash, carrierServiceId } = await readShop();
    const isDone = (carrierServiceId !== null || problem === 'plan_refuses') && ratesTokenHash !== null;
    return { ratesProblem, isOn: isDone };
  };
  await eventually(state).toEqual({ ratesProblem: problem, isOn });
}

async function offerRates(settings: Record<string, unknown> = {}): Promise<void> {
  await platen.control('store', 'POST', `/shops/${domain}/scopes`, { grant: ['write_shipping'] });
  await changeSettings(platen.app, platen.shop, { liveRates: true, rateMargin: null, fallbackRates: [], ...settings });
  await changeStore({ carrierCalculatedShipping: true });
  await syncCarrierService(platen.app, { shopId: platen.shop.id });
  await changeStore({ carrierInProfiles: true });
  await syncCarrierService(platen.app, { shopId: platen.shop.id });
}

describe('a shop that turns on live rates', () => {
  test('turning on live rates requires the store’s permission', async () => {
    const change = changeSettings(platen.app, platen.shop, { liveRates: true });
    await expect(change).rejects.toMatchObject({ code: 'scope_needed', scopes: ['write_shipping'] });
    expect((await readShop()).ratesTokenHash).toBeNull();
  });

  test('a shop whose Shopify plan does not allow app rates is shown which plan it needs, and gets rates once the plan allows them', async () => {
    await platen.control('store', 'POST', `/shops/${domain}/scopes`, { grant: ['write_shipping'] });
    await changeStore({ carrierCalculatedShipping: false });
    await changeSettings(platen.app, platen.shop, { liveRates: true });
    await until('plan_refuses');
    expect(await registered()).toEqual([]);
    const page = await pageOf();
    expect(page).toContain('Your plan has no app rates');
    expect(page).toContain('Advanced plan');
    const { home, databaseUrl } = platen.app.config;
    const environment = { PLATEN_HOME: home, DATABASE_URL: databaseUrl ?? '' };
    const { stdout } = await runPlaten(['shops', 'show', domain], environment);
    expect(stdout).toContain("liveRates: Shopify does not allow rates from apps on this store's plan.");
    expect(stdout).toContain('Advanced plan');

    await changeStore({ carrierCalculatedShipping: true });
    await syncCarrierService(platen.app, { shopId: platen.shop.id });
    await until('not_in_profiles');
  });

  test('the home page shows each remaining step until prices are offered at checkout', async () => {
    expect(await registered()).toMatchObject([{ name: 'Platen', active: true, supportsServiceDiscovery: false }]);
    const page = await pageOf();
    expect(page).toContain('Not in a shipping profile');
    expect(page).toContain('Settings → Shipping and delivery');
    expect((await requestCheckoutRates({ 'POSTER-30X40': 1 })).rates).toEqual([]);

    await changeStore({ carrierInProfiles: true });
    await syncCarrierService(platen.app, { shopId: platen.shop.id });
    expect((await readShop()).ratesProblem).toBeNull();
    expect(await pageOf()).toContain('No fallback prices');
    await changeSettings(platen.app, platen.shop, { fallbackRates: FALLBACK });
    expect(await pageOf()).toMatch(/Shipping prices at checkout<\/s-heading><s-badge tone="success">Offered/);
  });

  test('a carrier service’s URL does not change while it is valid, and concurrent jobs renew an invalid URL once', async () => {
    const [before] = await registered();
    await syncCarrierService(platen.app, { shopId: platen.shop.id });
    expect(await registered()).toEqual([before]);
    await platen.app.db.getRepository(Shops).update({ id: platen.shop.id }, { ratesTokenHash: 'lost' });
    await Promise.all([1, 2, 3].map(() => syncCarrierService(platen.app, { shopId: platen.shop.id })));
    const [after, ...others] = await registered();
    expect(others).toEqual([]);
    expect(after?.id).toBe(before?.id);
    expect(after?.callbackUrl).not.toBe(before?.callbackUrl);
    expect(isRatesAddress(platen.app, after?.callbackUrl ?? null, (await readShop()).ratesTokenHash)).toBe(true);
  });
});

describe('the rates at checkout', () => {
  beforeAll(() => offerRates());

  test('a checkout shows the print service’s shipping types, and the order ships by the chosen method', async () => {
    const shown = await requestCheckoutRates({ 'POSTER-30X40': 2 });
    expect(shown).toMatchObject({ backup: false, problems: [], status: 200 });
    expect(shown.rates.map(({ service_name: name }) => name)).toEqual([
      'Economy shipping',
      'Standard shipping',
      'Express shipping',
    ]);
    const chosen = shown.rates[2];
    const order = await platen.placeSkus(
      { 'POSTER-30X40': 2 },
      {
        shippingAddress: { ...BERLIN, zip: '10115' },
        shippingLine: { title: chosen?.service_name, code: chosen?.service_code, price: '15.00' },
      },
    );
    const listed = await platen.untilState(order.id, 'fulfilled');
    expect(listed.state).toBe('fulfilled');
    const [printed] = (await platen.printedFor(order.name)) as unknown as { shipment: { shipmentMethodUid: string } }[];
    expect(chosen?.service_code).toBe(`platen:express:${printed?.shipment.shipmentMethodUid}`);
  });

  test('a changed margin or rounding applies to the next checkout', async () => {
    const at = { zip: '10999' };
    const before = await requestCheckoutRates({ 'MUG-11OZ': 1 }, { destination: { ...BERLIN, ...at } });
    await changeSettings(platen.app, platen.shop, { rateMargin: { percent: '10' }, rateRounding: { ending: '0.99' } });
    const after = await requestCheckoutRates({ 'MUG-11OZ': 1 }, { destination: { ...BERLIN, ...at } });
    await changeSettings(platen.app, platen.shop, { rateMargin: null, rateRounding: null });
    expect(after.rates).toHaveLength(3);
    for (const [index, { total_price: price }] of after.rates.entries()) {
      expect(price).toMatch(/99$/);
      expect(Number(price)).toBeGreaterThanOrEqual(Number(before.rates[index]?.total_price) * 1.1);
    }
  });

  test.each(['JPY', 'EUR', 'GBP'])(
    'a checkout in %s shows prices in that currency, converted by the print service',
    async (currency) => {
      const shown = await requestCheckoutRates({ 'MUG-11OZ': 1 }, { currency });
      expect(shown).toMatchObject({ backup: false, problems: [] });
      for (const rate of shown.rates) expect(rate.currency).toBe(currency);
      expect(shown.rates).toHaveLength(3);
    },
  );

  test('a checkout with the merchant’s own stock and printed products shows the sum of both prices', async () => {
    const at = { destination: { ...BERLIN, zip: '10777' } };
    const [printed] = (await requestCheckoutRates({ 'POSTER-30X40': 1 }, at)).rates;
    const row = { countries: ['DE'], amount: '4.90' };
    await changeSettings(platen.app, platen.shop, { ownStockRates: [row] });
    // Shipments from the merchant's own location use the merchant's own rates.
    expect((await requestCheckoutRates({ 'POSTER-30X40': 1, VASE: 1 }, at)).rates).toEqual([]);
    await changeSettings(platen.app, platen.shop, { ownStockRates: [{ ...row, alone: true }] });
    const shown = await requestCheckoutRates({ 'POSTER-30X40': 1, VASE: 1 }, at);
    expect(shown).toMatchObject({ backup: false, problems: [] });
    expect(Number(shown.rates[0]?.total_price)).toBe(Number(printed?.total_price) + 490);
    // A cart that contains only the merchant's own stock gets no rates from Platen.
    expect((await requestCheckoutRates({ VASE: 1 }, at)).rates).toEqual([]);
    await changeSettings(platen.app, platen.shop, { ownStockRates: [] });
  });

  test.each([
    ['does not respond', { kind: 'timeout' }],
    ['responds with 503', { kind: 'status', status: 503 }],
    ['drops the connection', { kind: 'reset' }],
  ])(
    'a checkout shows the fallback rates within Shopify’s shortest timeout if the print service %s',
    async (_, fault) => {
      await changeSettings(platen.app, platen.shop, { fallbackRates: FALLBACK });
      await platen.control('print', 'POST', '/faults', [{ path: '/v4/orders:quote', ...fault }]);
      const shown = await requestCheckoutRates({ 'POSTER-30X40': 1 }, { timeoutMs: 5_000 });
      expect(shown).toMatchObject({ backup: false, problems: [], status: 200 });
      expect(shown.rates).toMatchObject([
        { service_name: 'Standard', service_code: 'platen:normal', total_price: '690' },
      ]);
    },
  );

  test('sixty simultaneous checkouts get rates while the print service hangs, and orders still go to print', async () => {
    await changeSettings(platen.app, platen.shop, { fallbackRates: FALLBACK });
    // After the failures in earlier tests, the circuit breaker pauses requests until the service responds to a probe.
    const isQuoted = async () => (await requestCheckoutRates({ 'MUG-15OZ': 1 })).rates[0]?.total_price !== '690';
    await eventually(isQuoted).toBe(true);
    const injected = async () =>
      ((await platen.control('print', 'GET', '/faults')) as { injected: { timeout?: number } }).injected.timeout ?? 0;
    const before = await injected();
    const hung = { path: '/v4/orders:quote', kind: 'timeout', times: 4 };
    await platen.control('print', 'POST', '/faults', [hung]);
    const shown = Promise.all(Array.from({ length: 60 }, () => requestCheckoutRates({ 'MUG-15OZ': 1 })));
    await eventually(injected).toBe(before + 4);
    const order = await platen.placeSkus({ 'MUG-15OZ': 1 });
    await platen.untilState(order.id, 'fulfilled');
    const answers = await shown;
    for (const { rates, backup, problems } of answers) {
      expect({ backup, problems }).toEqual({ backup: false, problems: [] });
      expect(rates).not.toEqual([]);
    }
    // The four hung requests get the fallback rates. Later requests may be quoted.
    const fallbackAnswers = answers.filter(({ rates: [rate] }) => rate?.total_price === '690');
    expect(fallbackAnswers.length).toBeGreaterThanOrEqual(4);
  });

  test('a shop without fallback rates shows the backup rates while the print service is down', async () => {
    await changeSettings(platen.app, platen.shop, { fallbackRates: [] });
    await platen.control('print', 'POST', '/faults', [{ path: '/v4/orders:quote', kind: 'status', status: 503 }]);
    expect(await requestCheckoutRates({ 'POSTER-30X40': 1 })).toMatchObject({ rates: [], backup: true, status: 503 });
  });

  test.each([
    ['print_links', FALLBACK, { status: 200, backup: false, rates: [{ total_price: '690' }] }],
    ['print_accounts', [], { status: 503, backup: true, rates: [] }],
  ])('a checkout shows the fallback or backup rates while the table %s is locked', async (table, rows, shown) => {
    await changeSettings(platen.app, platen.shop, { fallbackRates: rows });
    const runner = platen.app.db.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`lock table ${table} in access exclusive mode`);
      expect(await requestCheckoutRates({ 'POSTER-30X40': 1 })).toMatchObject(shown);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  test('checkouts of one account get their rates while another account has many new carts', async () => {
    await changeSettings(platen.app, platen.shop, { fallbackRates: FALLBACK });
    const other = await findOrCreatePrintAccount(platen.app, `${DEMO_PRINT_KEY}-other`);
    const { printAccountId } = await readShop();
    const use = (id: number | null) =>
      platen.app.db.getRepository(Shops).update({ id: platen.shop.id }, { printAccountId: id });
    const injected = async () =>
      ((await platen.control('print', 'GET', '/faults')) as { injected: { timeout?: number } }).injected.timeout ?? 0;
    const before = await injected();
    await platen.control('print', 'POST', '/faults', [{ path: '/v4/orders:quote', kind: 'timeout', times: 4 }]);
    const crowd = Promise.all(Array.from({ length: 60 }, () => requestCheckoutRates({ 'MUG-15OZ': 1 })));
    await eventually(injected).toBe(before + 4);
    await use(other.id);
    const shown = await requestCheckoutRates({ 'MUG-15OZ': 1 });
    await use(printAccountId);
    await crowd;
    expect(shown.rates).toHaveLength(3);
  });

  test('a checkout with only products that are not shipped requests no quote and shows no rates from Platen', async () => {
    await platen.control('print', 'POST', '/faults', [{ path: '/v4/orders:quote', kind: 'status', status: 500 }]);
    expect((await requestCheckoutRates({ 'GIFT-25': 1 })).rates).toEqual([]);
    expect(await platen.control('print', 'GET', '/faults')).toMatchObject({ injected: {} });
  });
});

describe('the carrier service', () => {
  beforeAll(() => offerRates());

  test('a carrier service whose create response is lost is found by the next check, not created twice', async () => {
    const service = (await registered())[0];
    await changeSettings(platen.app, platen.shop, { liveRates: false });
    await eventually(registered).toEqual([]);
    expect(service).toBeDefined();
    await platen.control('store', 'POST', '/faults', [
      { operation: 'CreateCarrierService', kind: 'reset', effect: 'done', times: 1 },
    ]);
    await changeSettings(platen.app, platen.shop, { liveRates: true });
    await eventually(registered).toHaveLength(1);
    await syncCarrierService(platen.app, { shopId: platen.shop.id });
    await until('not_in_profiles');
    expect(await registered()).toHaveLength(1);
    await changeStore({ carrierInProfiles: true });
    // Requests of earlier checkouts may still be hanging at the print service.
    await eventually(() => requestCheckoutRates({ 'POSTER-30X40': 1 })).toMatchObject({ backup: false, problems: [] });
  });

  test('the carrier service is deleted when live rates are turned off', async () => {
    const [service] = await registered();
    await changeSettings(platen.app, platen.shop, { liveRates: false });
    await eventually(registered).toEqual([]);
    await eventually(readShop).toMatchObject({ carrierServiceId: null, ratesTokenHash: null, ratesProblem: null });
    const answer = await fetch(service?.callbackUrl ?? '', { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    expect(await pageOf()).not.toContain('Shipping prices at checkout');
  });

  test('if the permission for live rates is revoked, the home page shows this instead of the status of the rates', async () => {
    await offerRates();
    await platen.control('store', 'POST', `/shops/${domain}/scopes`, { revoke: ['write_shipping'] });
    await eventually(pageOf).toContain('Permission revoked');
    await syncCarrierService(platen.app, { shopId: platen.shop.id });
    expect(await pageOf()).not.toContain('Shipping prices at checkout');
  });

  test('an uninstall removes the carrier service, and the next installation creates a new one', async () => {
    await offerRates();
    const [before] = await registered();
    await platen.control('store', 'POST', `/shops/${domain}/uninstall`);
    await eventually(readShop).toMatchObject({ state: 'uninstalled', ratesTokenHash: null });
    expect((await fetch(before?.callbackUrl ?? '', { method: 'POST', body: '{}' })).status).toBe(404);

    const { url } = (await platen.control('store', 'POST', `/shops/${domain}/install`)) as { url: string };
    expect((await fetch(url)).status).toBe(200);
    await platen.control('store', 'POST', `/shops/${domain}/scopes`, { grant: ['write_shipping'] });
    await until('not_in_profiles');
    const [after] = await registered();
    expect(after?.id).not.toBe(before?.id);
    expect(after?.callbackUrl).not.toBe(before?.callbackUrl);
  });
});
