import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { InvalidInputError } from '../../../src/errors.ts';
import {
  changeSettings,
  readPrintWebhookHeader,
  readSettings,
  showSettings,
} from '../../../src/shops/settings/settings.ts';
import { addShop, readJobPayloads, openTestApp, type TestApp } from '../../http/test-app.ts';

let app: TestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => void (shop = await addShop(app.db)));

function readAgain(): Promise<Shop> {
  return app.db.getRepository(Shops).findOneByOrFail({ id: shop.id });
}

async function resumed(): Promise<number> {
  return (await readJobPayloads(app.db, 'resume_shop')).filter(({ shopId }) => shopId === shop.id).length;
}

describe('the effective settings of a shop', () => {
  test('a currency that the service does not accept becomes USD, and an invalid contact email is not used', () => {
    const settings = readSettings({ ...shop, currency: 'XPF', contactEmail: 'me@-shop.example' });
    expect(settings).toMatchObject({ currency: 'USD', fallbackEmail: null });
  });
});

describe('a change to the settings', () => {
  test('moving the start date earlier restarts the poll, but moving it later does not', async () => {
    const ordersReadUntil = new Date();
    const takesOrdersFrom = new Date(Date.now() - 10 * 86_400_000);
    await app.db.getRepository(Shops).update({ id: shop.id }, { ordersReadUntil, takesOrdersFrom });
    const move = (days: number) =>
      changeSettings(app, shop, {
        takesOrdersFrom: new Date(takesOrdersFrom.getTime() + days * 86_400_000).toISOString(),
      });
    await move(1);
    expect((await readAgain()).ordersReadUntil).toEqual(ordersReadUntil);
    await move(0.5);
    expect((await readAgain()).ordersReadUntil).toBeNull();
  });

  test('waiting orders are planned again only once after several settings changes that may release them', async () => {
    await changeSettings(app, shop, { delayMinutes: 1 });
    await changeSettings(app, shop, { currency: 'EUR' });
    expect(await resumed()).toBe(1);
  });

  test.each([{ gatherSeconds: 1 }, { notifyCustomer: false }, { retentionDays: 7 }, {}])(
    'no orders are planned again for the change %j',
    async (change) => {
      await changeSettings(app, shop, change);
      expect(await resumed()).toBe(0);
    },
  );

  const refused: [change: unknown, field: string, words: RegExp][] = [
    [{ submit: 'maybe' }, 'submit', /must be draft or direct/],
    [{ extendedCalls: 'yes' }, 'extendedCalls', /must be on or off/],
    [{ delayMinutes: 43_201 }, 'delayMinutes', /from 0 to 43200/],
    [{ delayMinutes: -1 }, 'delayMinutes', /from 0 to 43200/],
    [{ delayMinutes: 1.5 }, 'delayMinutes', /whole number/],
    [{ delayMinutes: '5' }, 'delayMinutes', /whole number/],
    [{ gatherSeconds: 3601 }, 'gatherSeconds', /from 0 to 3600/],
    [{ retentionDays: 0 }, 'retentionDays', /from 1 to 365/],
    [{ fallbackEmail: 'nobody' }, 'fallbackEmail', /email/],
    [{ fallbackEmail: 'a\u0000@b.example' }, 'fallbackEmail', /control characters/],
    [{ fallbackEmail: `${'a'.repeat(250)}@b.example` }, 'fallbackEmail', /254/],
    [{ currency: 'XPF' }, 'currency', /supported currency/],
    [{ postCodePlaceholder: '' }, 'postCodePlaceholder', /1 to 15 characters/],
    [{ postCodePlaceholder: '0'.repeat(16) }, 'postCodePlaceholder', /15 characters/],
    [{ returnAddress: { city: 'x'.repeat(31) } }, 'returnAddress.city', /at most 30 characters/],
    [{ returnAddress: { country: 'US' } }, 'returnAddress.state', /required for this country/],
    [{ returnAddress: { firstName: 'A' } }, 'returnAddress', /firstName/],
    [{ returnAddress: { city: 'a\u0000' } }, 'returnAddress', /control characters/],
    [{ printFileProperty: '' }, 'printFileProperty', /must not be empty/],
    [{ printFileHosts: ['https://files.example'] }, 'printFileHosts.0', /without https/],
    [{ printFileHosts: ['a.example', '*'] }, 'printFileHosts.1', /host names/],
    [{ printFileHosts: ['*.com'] }, 'printFileHosts.0', /host names/],
    [{ printFileHosts: ['127.0.0.1'] }, 'printFileHosts.0', /host names/],
    [{ printFileHosts: ['files.example.'] }, 'printFileHosts.0', /host names/],
    [{ printFileHosts: ['-files.example'] }, 'printFileHosts.0', /host names/],
    [{ printFileHosts: [`${'a.'.repeat(124)}example`] }, 'printFileHosts.0', /host names/],
    [{ printFileHosts: ['files.example:8443'] }, 'printFileHosts.0', /host names/],
    [{ printFileHosts: Array.from({ length: 51 }, () => 'a.example') }, 'printFileHosts', /at most 50 hosts/],
    [{ takesOrdersFrom: 'yesterday' }, 'takesOrdersFrom', /date and time/],
    [{ takesOrdersFrom: '0001-01-01T00:00:00Z' }, 'takesOrdersFrom', /before 1970/],
    [{ takesOrdersFrom: '9999-01-01T00:00:00Z' }, 'takesOrdersFrom', /a year ahead/],
    [{ printKey: 'two words' }, 'printKey', /without spaces/],
    [{ printKey: { last4: '1234' } }, 'printKey', /./],
    [{ printWebhookHeader: { name: 'a b', value: '12345678' } }, 'printWebhookHeader.name', /HTTP header/],
    [{ printWebhookHeader: { name: 'X-Lock', value: 'short' } }, 'printWebhookHeader.value', /8 to 256/],
    [{ colour: 'red' }, 'colour', /There is no setting colour.*delayMinutes/],
    [{ printInterface: 'v5' }, 'printInterface', /current, v2 or v1/],
    [{ legacyHost: 'other' }, 'legacyHost', /live or test/],
    [{ submit: 'draft', printInterface: 'v2' }, 'submit', /current interface of the print service/],
    [{ submit: 'draft', extendedCalls: false }, 'submit', /Platen must be able to confirm drafts\. Also switch on/],
    [[], 'settings', /must be an object/],
    [null, 'settings', /must be an object/],
  ];
  test.each(refused)('%j is refused, and the message names the field and its values', async (change, field, words) => {
    const error = await changeSettings(app, shop, change).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ field, message: expect.stringMatching(words) });
    expect(await readAgain()).toEqual(shop);
  });

  test('with the earlier print interface, orders are created directly, and the test host is refused unless it is configured', async () => {
    expect(await changeSettings(app, shop, { printInterface: 'v2', legacyHost: 'test' })).toMatchObject({
      printInterface: 'v2',
      legacyHost: 'test',
      submit: 'direct',
    });
    await changeSettings(app, shop, { legacyHost: 'live' });
    const { config } = app;
    const urls = { ...config.print.urls, legacyTest: null };
    const without = { ...app, config: { ...config, print: { ...config.print, urls } } };
    const change = changeSettings(without, shop, { legacyHost: 'test' });
    await expect(change).rejects.toThrow(/PRINT_LEGACY_TEST_URL/);
    expect((await showSettings(app, shop)).legacyHost).toBe('live');
  });

  test('the settings for drafts are allowed only together with the extended calls that confirm drafts', async () => {
    await changeSettings(app, shop, { extendedCalls: false });
    expect((await showSettings(app, shop)).submit).toBe('direct');
    await expect(changeSettings(app, shop, { submit: 'draft' })).rejects.toMatchObject({
      message: expect.stringContaining('switch on “My account can read, confirm and cancel orders”'),
      change: 'submit=draft extendedCalls=on',
    });
    expect(await changeSettings(app, shop, { submit: 'draft', extendedCalls: true })).toMatchObject({
      submit: 'draft',
    });
  });
});

describe('the secrets in the settings', () => {
  test('only the last four characters of secrets are shown, and secrets are stored encrypted', async () => {
    const shown = await changeSettings(app, shop, {
      printKey: 'key-of-the-shop-1234',
      printWebhookHeader: { name: 'X-Lock', value: 'open sesame 5678' },
    });
    expect(shown).toMatchObject({
      printKey: { last4: '1234' },
      printWebhookHeader: { name: 'X-Lock', value: { last4: '5678' } },
    });
    expect(JSON.stringify(shown)).not.toMatch(/key-of-the-shop|sesame/);
    const rows: unknown = await app.db.query('select to_jsonb(s), to_jsonb(a) from shops s, print_accounts a');
    expect(JSON.stringify(rows)).not.toMatch(/key-of-the-shop|sesame/);
    expect(readPrintWebhookHeader(app, await readAgain())).toEqual({ name: 'X-Lock', value: 'open sesame 5678' });
  });

  test('the encrypted header of one shop cannot be decrypted as the header of another shop', async () => {
    const other = await addShop(app.db);
    await changeSettings(app, other, { printWebhookHeader: { name: 'X-Lock', value: '12345678' } });
    const stolen = await app.db.getRepository(Shops).findOneByOrFail({ id: other.id });
    expect(() => readPrintWebhookHeader(app, { ...stolen, id: shop.id })).toThrow(/does not belong there/);
  });
});
