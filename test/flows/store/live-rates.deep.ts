import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Shop } from '../../../src/database/entities/shops.ts';
import { renderAdminPage } from '../../../src/http/pages/admin/render-admin-page.ts';
import { syncCarrierService } from '../../../src/rates/sync-carrier-service.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import { CarrierServicesDocument } from '../../../src/shopify/generated/operations.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { eventually } from '../../helpers/eventually.ts';

const BERLIN = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  address1: 'Invalidenstr. 1',
  city: 'Berlin',
  countryCode: 'DE',
};
const FALLBACK = [{ name: 'Standard', countries: ['*'], amount: '6.90' }];

let domain: string;
let variants: { sku: string; variantId: string }[];

testPlaten();
beforeAll(async () => {
  ({ domain } = platen.shop);
  variants = (await platen.control('store', 'GET', '/variants')) as typeof variants;
});

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
  test('a shop whose Shopify plan does not allow app rates is shown which plan it needs, and gets rates once the plan allows them', async () => {
    const change = changeSettings(platen.app, platen.shop, { liveRates: true });
    await expect(change).rejects.toMatchObject({ code: 'scope_needed', scopes: ['write_shipping'] });
    await platen.control('store', 'POST', `/shops/${domain}/scopes`, { grant: ['write_shipping'] });
    await changeStore({ carrierCalculatedShipping: false });
    await changeSettings(platen.app, platen.shop, { liveRates: true });
    await until('plan_refuses');
    expect(await registered()).toEqual([]);
    const page = await pageOf();
    expect(page).toContain('Your plan has no app rates');
    expect(page).toContain('Advanced plan');
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

  test('sixty simultaneous checkouts get rates while the print service hangs, and orders still go to print', async () => {
    await changeSettings(platen.app, platen.shop, { fallbackRates: FALLBACK });
    const injected = async () =>
      ((await platen.control('print', 'GET', '/faults')) as { injected: { timeout?: number } }).injected.timeout ?? 0;
    const before = await injected();
    const hung = { path: '/v4/orders:quote', kind: 'timeout', times: 4 };
    await platen.control('print', 'POST', '/faults', [hung]);
    const shown = Promise.all(Array.from({ length: 60 }, () => requestCheckoutRates({ 'MUG-15OZ': 1 })));
    await eventually(injected).toBe(before + 4);
    const order = await platen.placeSkus({ 'MUG-15OZ': 1 });
    await platen.untilState(order.id, 'fulfilled');
    // The circuit breaker closes again.
    await platen.pass(60_000);
    const answers = await shown;
    for (const { rates, backup, problems } of answers) {
      expect({ backup, problems }).toEqual({ backup: false, problems: [] });
      expect(rates).not.toEqual([]);
    }
    // The four hung requests get the fallback rates. Later requests may be quoted.
    const fallbackAnswers = answers.filter(({ rates: [rate] }) => rate?.total_price === '690');
    expect(fallbackAnswers.length).toBeGreaterThanOrEqual(4);
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
    expect(await requestCheckoutRates({ 'POSTER-30X40': 1 })).toMatchObject({ backup: false, problems: [] });
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
});
