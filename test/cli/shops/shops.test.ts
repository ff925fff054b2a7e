import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { startPrintService } from '../../../sandbox/print/start.ts';
import { endQuietTime } from '../../../src/shops/print-account/end-quiet-time.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { ensureInstallation, beginQuietTimeAfterRestore } from '../../../src/shops/install/installation.ts';
import {
  hashPrintWebhookToken,
  readPrintWebhookAddress,
} from '../../../src/shops/print-account/print-webhook-address.ts';
import { changeSettings, readSettings } from '../../../src/shops/settings/settings.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { runPlatenOn } from '../run-platen.ts';
import type { Ran } from '../run-platen.ts';

let app: OpenTestApp;
let shop: Shop;

let home: string;
let print: Awaited<ReturnType<typeof startPrintService>>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'platen-print-'));
  print = await startPrintService({ home, port: 0, advanceSeconds: null, extended: true });
  app = await openTestApp({ SANDBOX_PRINT_PORT: String(print.port), PRINT_TIMEOUT_SECONDS: '10' });
});
afterAll(async () => {
  await app.close();
  await print.close();
  rmSync(home, { recursive: true });
});
beforeEach(async () => void (shop = await addShop(app.db)));

const platen = (...args: string[]): Promise<Ran> => runPlatenOn(app, ['shops', ...args]);

describe('platen shops list and show', () => {
  test('platen shops list shows all shops as a table or as one JSON document', async () => {
    await app.db.getRepository(Shops).update({ id: shop.id }, { name: 'Demo Shop' });
    await changeSettings(app, shop, { printKey: 'sandbox-key' });
    const table = await platen('list');
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout.split('\n')[0]).toMatch(/^SHOP +STATE +PRINT ACCOUNT +NAME$/);
    expect(table.stdout).toMatch(new RegExp(`^${shop.domain} +installed +working +Demo Shop$`, 'm'));
    const json = await platen('list', '--json');
    expect(JSON.parse(json.stdout)).toContainEqual({
      domain: shop.domain,
      name: 'Demo Shop',
      state: 'installed',
      printAccount: 'working',
      adminRefusedAt: null,
      fencedOffAt: null,
      quietUntil: null,
      locationId: null,
      takesOrdersFrom: '2026-01-01T00:00:00.000Z',
      installedAt: shop.installedAt.toISOString(),
      uninstalledAt: null,
    });
  });

  test('platen shops list and show print the time until which nothing is sent after a restore', async () => {
    await ensureInstallation(app);
    const quietUntil = (await beginQuietTimeAfterRestore(app)).toISOString();
    for (const args of [['list'], ['show', shop.domain]]) {
      const { stdout } = await platen(...args);
      expect(stdout).toContain(`nothing is sent to print or marked as shipped before ${quietUntil}.`);
      const json = await platen(...args, '--json');
      expect([JSON.parse(json.stdout)].flat()).toContainEqual(expect.objectContaining({ quietUntil }));
    }
    await endQuietTime(app);
  });

  test('platen shops show prints one shop with its settings but without secrets', async () => {
    await changeSettings(app, shop, { printKey: 'key-of-the-shop-1234', notifyCustomer: false });
    const [name = ''] = shop.domain.split('.');
    const text = await platen('show', name);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/^delayMinutes=30$/m);
    expect(text.stdout).toMatch(/^notifyCustomer=off$/m);
    expect(text.stdout).toMatch(/^printKey=…1234$/m);
    const json = await platen('show', shop.domain, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      domain: shop.domain,
      settings: { extendedCalls: true, notifyCustomer: false, printKey: { last4: '1234' } },
    });
    expect(text.stdout + json.stdout).not.toContain('key-of-the-shop');
  });
});

describe('platen shops set', () => {
  test('platen shops set tests a key before it saves it, and reports a rejected key', async () => {
    await changeSettings(app, shop, { printKey: 'sandbox-key' });
    const before = await findShop(app, shop.id);
    const ran = await platen('set', shop.domain, 'printKey=wrong-key', 'delayMinutes=1');
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/does not accept this key/) });
    expect(await findShop(app, shop.id)).toEqual(before);
  });

  test('platen shops set changes settings of every kind and prints them', async () => {
    const pairs = [
      'submit=direct',
      'extendedCalls=off',
      'delayMinutes=0',
      'gatherSeconds=1',
      'printKey=sandbox-key-b',
      'fallbackEmail=orders@shop.example',
      'printFileProperty=_print_file',
      'printFileHosts=Files.example, *.uploads.example',
      'printWebhookHeader=X-Lock: open sesame',
      'returnAddress={"city":"Oslo","country":"NO"}',
      'takesOrdersFrom=2026-02-01T00:00:00Z',
    ];
    expect(await platen('set', shop.domain, ...pairs)).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'submit=direct',
        'extendedCalls=off',
        'delayMinutes=0',
        'gatherSeconds=1',
        'printKey=…ey-b',
        'fallbackEmail=orders@shop.example',
        'printFileProperty=_print_file',
        'printFileHosts=files.example,*.uploads.example',
        'printWebhookHeader=X-Lock: …same',
        'returnAddress={"city":"Oslo","country":"NO"}',
        'takesOrdersFrom=2026-02-01T00:00:00.000Z\n',
      ].join('\n'),
    });
    expect(readSettings(await findShop(app, shop.id))).toMatchObject({
      submit: 'direct',
      delayMinutes: 0,
      printFileProperty: '_print_file',
      printFileHosts: ['files.example', '*.uploads.example'],
      returnAddress: { city: 'Oslo', country: 'NO' },
    });
  });

  test('platen shops set reads a print key from standard input, so that no other process sees the key', async () => {
    const set = (input: string, ...pairs: string[]) =>
      runPlatenOn(app, ['shops', 'set', ...pairs, '--shop', shop.domain], {}, input);
    expect(await set('sandbox-key-c\n', 'printKey=-', 'delayMinutes=3')).toEqual({
      code: 0,
      stderr: '',
      stdout: 'printKey=…ey-c\ndelayMinutes=3\n',
    });
    expect(await set('', 'printKey=-')).toMatchObject({ code: 2, stderr: expect.stringMatching(/has no value/) });
    const twice = await set('x', 'printKey=-', 'fallbackEmail=-');
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringMatching(/use - once/) });
  });

  test('platen shops set removes a setting that is given without a value', async () => {
    await changeSettings(app, shop, { printKey: 'sandbox-key', fallbackEmail: 'a@b.example' });
    const removed = ['fallbackEmail=', 'returnAddress=', 'printWebhookHeader=', 'currency='];
    expect((await platen('set', shop.domain, ...removed)).stdout).toBe(`${removed.join('\n')}\n`);
    expect((await findShop(app, shop.id)).settings).toMatchObject({ fallbackEmail: null });
    // Only disconnecting the print account removes a key.
    const kept = await platen('set', shop.domain, 'printKey=');
    expect(kept).toMatchObject({ code: 1, stderr: expect.stringContaining('disconnect the print account') });
    expect((await findShop(app, shop.id)).printAccountId).not.toBeNull();
  });

  test.each([
    ['delayMinutes=soon', /^delayMinutes: must be a whole number from 0 to 43200\. .*\n$/],
    ['colour=red', /^There is no setting colour\. .*\n$/],
  ])('platen shops set rejects %s with one sentence and changes nothing', async (pair, sentence) => {
    const ran = await platen('set', shop.domain, 'gatherSeconds=1', pair);
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    expect(readSettings(await findShop(app, shop.id)).gatherSeconds).toBe(60);
  });
});

describe('platen shops webhook', () => {
  async function shopOf({ stdout }: Ran): Promise<number | undefined> {
    const token = stdout.trimEnd().split('/').at(-1) ?? '';
    return (await readPrintWebhookAddress(app, hashPrintWebhookToken(token)))?.id;
  }

  test('platen shops webhook prints only the URL, and the print stand-in sends its events to that URL', async () => {
    const header = { name: 'X-Lock', value: 'open sesame' };
    await changeSettings(app, shop, { printKey: 'sandbox-key-c', printWebhookHeader: header });
    const ran = await platen('webhook', shop.domain);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^http:\/\/127\.0\.0\.1:3000\/webhooks\/print\/[\w-]{43}\n$/);
    expect(await shopOf(ran)).toBe(shop.id);
    const settings: unknown = await (await fetch(`${print.url}/_control/webhooks`)).json();
    const address = { key: 'sandbox-key-c', url: ran.stdout.trimEnd(), headers: { 'X-Lock': 'open sesame' } };
    expect(settings).toMatchObject({ addresses: [address] });
  });
});
