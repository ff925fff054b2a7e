import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import type { ShippingPreview } from '../../../src/orders/quote/preview-shipping.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { MUG } from '../../sandbox/print/service.ts';
import { openPrintEndpoints, type PrintEndpoints } from '../print-endpoints.ts';
import { addShop, callApi, createTestSessionToken, refusal } from '../test-app.ts';

const CART = { country: 'DE', items: [{ sku: 'MUG', quantity: 2 }] };
let endpoints: PrintEndpoints;
let shop: Shop;

beforeAll(async () => {
  endpoints = await openPrintEndpoints();
  shop = await addShopWith({ printKey: 'sandbox-key' });
  const link = { sku: 'MUG', productUid: MUG, fileUrl: 'https://files.example.com/mug.pdf' };
  await endpoints.app.db.getRepository(PrintLinks).save({ ...link, shopId: shop.id });
});
afterAll(() => endpoints.close());

async function addShopWith(settings: Record<string, unknown>): Promise<Shop> {
  const { id } = await addShop(endpoints.app.db);
  await changeSettings(endpoints.app, { id }, settings);
  return endpoints.app.db.getRepository(Shops).findOneByOrFail({ id });
}

interface Answer {
  status: number;
  body: ShippingPreview & { error?: { code: string; field: string; message: string } };
}

async function ask(path: string, body: object, of: Pick<Shop, 'domain'> = shop): Promise<Answer> {
  const answer = await callApi<Answer['body']>(endpoints.url, of, ['POST', path], body);
  return { status: answer.status, body: answer.body };
}

const setFaults = (faults: object[]) => endpoints.control('POST', '/faults', faults);

describe('the settings preview', () => {
  test('the cheapest method is chosen, and rules that are not saved yet change the choice', async () => {
    const { status, body } = await ask('/settings/preview', CART);
    expect([status, body.rule, body.lack]).toEqual([200, 'cheapest method', null]);
    const chosen = body.quotes[0]?.methods.find(({ isChosen }) => isChosen);
    const prices = body.quotes[0]?.methods.map(({ price }) => Number(price)) ?? [];
    expect(Number(chosen?.price)).toBe(Math.min(...prices));
    const rule = { name: 'Fast', when: { countries: ['DE'] }, choose: { types: ['express'] } };
    const { body: ruled } = await ask('/settings/preview', { ...CART, settings: { shippingRules: [rule] } });
    expect(ruled.rule).toBe("rule 'Fast'");
    expect(ruled.quotes[0]?.methods.find(({ isChosen }) => isChosen)?.type).toBe('express');
    const abroad = { ...CART, country: 'NO', settings: { shippingRules: [rule] } };
    expect((await ask('/settings/preview', abroad)).body.passedOver).toEqual([
      { rule: "rule 'Fast'", why: 'it does not apply to this country' },
    ]);
    const kept = await endpoints.app.db.getRepository(Shops).findOneByOrFail({ id: shop.id });
    expect(kept.settings).toEqual(shop.settings);
  });

  test('checkout rates include the markup, the rounding and free shipping', async () => {
    const plain = (await ask('/settings/preview', CART)).body.rates;
    expect(plain.length).toBeGreaterThan(0);
    const settings = { rateMargin: { amount: '2.00' }, rateRounding: { ending: '0.99' } };
    const { body } = await ask('/settings/preview', { ...CART, settings });
    for (const [index, { price }] of body.rates.entries()) {
      expect(price).toMatch(/\.99$/);
      expect(Number(price)).toBeGreaterThanOrEqual(Number(plain[index]?.price) + 2);
    }
    const free = await ask('/settings/preview', { ...CART, value: '50.00', settings: { ratesFreeFrom: '50' } });
    expect(Number(free.body.rates[0]?.price)).toBe(0);
    const fallbackRates = [{ name: 'Standard', countries: ['DE'], amount: '6.90', perItem: '0.50' }];
    const table = await ask('/settings/preview', { ...CART, settings: { fallbackRates } });
    expect(table.body.fallbackRates).toMatchObject([{ name: 'Standard', price: '7.90' }]);
  });

  test.each([
    [{ ...CART, country: 'XX' }, 'country'],
    [{ ...CART, country: 'US' }, 'province'],
    [{ ...CART, items: [] }, 'items'],
    [{ ...CART, items: [{ sku: 'UNKNOWN', quantity: 1 }] }, 'items.0'],
    [{ ...CART, items: [{ sku: 'MUG', quantity: 0 }] }, 'items[0].quantity'],
    [{ ...CART, value: 'much' }, 'value'],
    [{ ...CART, settings: { delayMinutes: -1 } }, 'delayMinutes'],
    [
      { ...CART, settings: { fallbackRates: [{ name: 'A', countries: ['XX'], amount: '1' }] } },
      'fallbackRates.0.countries.0',
    ],
    [{ ...CART, colour: 'red' }, 'colour'],
  ])('the preview of %j is rejected at the field %s', async (body, field) => {
    const answer = await ask('/settings/preview', body);
    expect([answer.status, answer.body.error?.field]).toEqual([400, field]);
  });

  test('a preview without a key, or while the print service fails, returns an error that names the cause', async () => {
    const without = await addShop(endpoints.app.db);
    const link = { sku: 'MUG', productUid: MUG, fileUrl: null, shopId: without.id };
    await endpoints.app.db.getRepository(PrintLinks).save(link);
    expect(await ask('/settings/preview', CART, without)).toMatchObject(refusal(409, { code: 'no_print_account' }));
    await setFaults([{ path: '/', rate: 1, kind: 'status', status: 500, effect: 'none' }]);
    const failed = await ask('/settings/preview', { ...CART, country: 'SE' });
    await setFaults([]);
    expect(failed).toMatchObject({ status: 503, body: { error: { code: 'print_service_unavailable' } } });
  });
});

describe('the test of the saved key', () => {
  test('a working key is accepted, and a refused key is reported without repeating the key', async () => {
    expect(await ask('/settings/test-print-key', {})).toEqual({ status: 200, body: { accepted: true } });
    const refused = await addShopWith({ printKey: 'wrong-key' });
    const { status, body } = await ask('/settings/test-print-key', {}, refused);
    expect([status, body.error?.field]).toEqual([400, 'printKey']);
    expect(body.error?.message).toMatch(/^The print service does not accept this key\./);
    expect(body.error?.message).not.toContain('wrong-key');
  });
});

describe('the leave endpoint', () => {
  test('a GET request shows what leaving would remove, and a POST request stops Platen only for this shop', async () => {
    const leaving = await addShop(endpoints.app.db);
    const headers = { Authorization: `Bearer ${createTestSessionToken(leaving.domain)}` };
    const counted = await fetch(`${endpoints.url}/api/leave`, { headers });
    expect(await counted.json()).toMatchObject({ held: 0, tagged: 0, unsent: 0, live: 0, missingScopes: [] });
    const stateOf = async ({ id }: Pick<Shop, 'id'>) =>
      (await endpoints.app.db.getRepository(Shops).findOneByOrFail({ id })).state;
    expect(await stateOf(leaving)).toBe('installed');
    expect((await ask('/leave', {}, leaving)).status).toBe(202);
    expect([await stateOf(leaving), await stateOf(shop)]).toEqual(['leaving', 'installed']);
    expect((await fetch(`${endpoints.url}/api/settings`, { headers })).status).toBe(401);
  });
});
