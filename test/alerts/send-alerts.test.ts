import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enqueueDueAlerts } from '../../src/alerts/enqueue-due-alerts.ts';
import { countFailingChannels, readAlerts } from '../../src/alerts/read-alerts.ts';
import { sendAlerts } from '../../src/alerts/send-alerts.ts';
import { sendTest } from '../../src/alerts/send-test.ts';
import type { App } from '../../src/app.ts';
import { encryptColumn } from '../../src/database/encrypt-column.ts';
import { Holds, StorefrontOrders } from '../../src/database/entities/orders.ts';
import { PrintAccounts, Shops, type Shop } from '../../src/database/entities/shops.ts';
import { translateToGerman } from '../../src/http/texts/german.ts';
import { enHolds } from '../../src/orders/facts/hold-names/english.ts';
import { recordPolledChanges } from '../../src/shops/record-polled-changes.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { uninstallShop } from '../../src/shops/install/uninstall.ts';
import { startFileServer } from '../print/files/file-server.ts';
import { addShop, readJobPayloads, openTestApp, type TestApp } from '../http/test-app.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import { atTime } from '../helpers/at-time.ts';
import { toTasks } from '../../src/tasks.ts';

const MINUTE = 60_000;
/** A Wednesday. */
const NOW = new Date('2026-11-25T12:00:00Z');
const SECRET_NAME = 'Erika Mustermann';
let base: TestApp;
let shop: Shop;
let mail: MailServer;
let minutes: number;
let orders: number;

beforeAll(async () => void (base = await openTestApp()));
afterAll(() => base.close());
beforeEach(async () => {
  await base.db.query('delete from shops; delete from print_accounts; delete from graphile_worker._private_jobs');
  shop = await addShop(base.db, 'lamps.myshopify.com');
  [minutes, orders] = [0, 1000];
  mail = await startMailServer();
  await changeSettings(appAt(), shop, { alertEmails: ['owner@lamps.example'] });
});

/** The app after `minutes`, with this mail server. */
function appAt(server: Pick<MailServer, 'url'> = mail): App {
  const config = { ...base.config, mail: { url: server.url, from: 'Platen <alerts@platen.example>' } };
  return atTime({ ...base, config }, () => new Date(NOW.getTime() + minutes * MINUTE));
}

async function hold(code = 'address_too_long', more: { shop?: Shop; ago?: number } = {}): Promise<string> {
  const { id: shopId } = more.shop ?? shop;
  orders += 1;
  const order = await base.db.manager.save(StorefrontOrders, {
    shopId,
    shopifyOrderId: `gid://shopify/Order/${orders}`,
    name: `#${orders}`,
    placedAt: NOW,
  });
  const createdAt = new Date(NOW.getTime() + (minutes - (more.ago ?? 0)) * MINUTE);
  const message = `The street of ${SECRET_NAME} is too long.`;
  await base.db.manager.insert(Holds, { shopId, storefrontOrderId: order.id, code, message, createdAt });
  return order.id;
}

/** Runs the pass and the jobs that it enqueues, as a worker does. */
async function pass(app: App = appAt()): Promise<number> {
  await toTasks(app).check_alerts({});
  const jobs = await readJobPayloads(base.db, 'send_alerts');
  await base.db.query('delete from graphile_worker._private_jobs');
  for (const { shopId } of jobs) await toTasks(app).send_alerts({ shopId: Number(shopId) });
  return jobs.length;
}

const toGerman = (text: string): string => translateToGerman(text).text;
const stateOf = async () => (await readAlerts(appAt(), shop)).channels[0];

describe('an alert about orders on hold', () => {
  test('a hold causes one email after 5 minutes, with the reason, the remedy and a link, but without the buyer’s data', async () => {
    await hold();
    await pass();
    minutes = 4;
    await pass();
    expect(mail.mails).toEqual([]);
    minutes = 5;
    await pass();
    minutes = 6;
    expect(await pass()).toBe(0);
    expect(mail.mails).toHaveLength(1);
    const { content, to, subject } = mail.mails[0]!;
    expect([to, subject]).toEqual([['owner@lamps.example'], 'lamps.myshopify.com: 1 order needs your attention']);
    expect(content).toContain('Address too long: 1 order\n'.replaceAll('\n', '\r\n'));
    expect(content).toContain('Shorten');
    expect(content).toContain('#1001: http://127.0.0.1:4020/lamps.myshopify.com/admin/apps/sandbox-app/orders/1001');
    expect(content).not.toContain(SECRET_NAME);
    expect(await stateOf()).toMatchObject({
      alertedAt: new Date(NOW.getTime() + 5 * MINUTE).toISOString(),
      problem: null,
    });
  });

  test('an outage with 300 holds causes one email, which counts the orders by reason and names the 10 oldest', async () => {
    await base.db.query(
      `with o as (insert into storefront_orders (shop_id, shopify_order_id, name, placed_at)
         select $1, 'o' || n, '#' || n, $2 from generate_series(1001, 1300) n returning id)
       insert into holds (shop_id, storefront_order_id, code, message, created_at)
       select $1, id, case when row_number() over (order by id) % 3 = 1 then 'create_refused' else 'quote_refused' end, '', $2 from o`,
      [shop.id, NOW],
    );
    minutes = 5;
    await pass();
    expect(mail.mails.map(({ subject }) => subject)).toEqual(['lamps.myshopify.com: 300 orders need your attention']);
    const content = mail.mails[0]?.content ?? '';
    const text = content.slice(0, content.indexOf('<!doctype'));
    expect(text).toContain(`${enHolds.quote_refused}: 200 orders`);
    expect(text).toContain(`${enHolds.create_refused}: 100 orders`);
    expect(text.match(/^#\d+: /gm)?.map((name) => name.slice(0, 5))).toHaveLength(10);
    expect(text).toContain('#1001: ');
    expect(text).not.toContain('#1011: ');
  });

  test('new holds within an hour of an alert are reported together after the hour, and no hold is reported twice', async () => {
    await hold();
    minutes = 5;
    await pass();
    for (minutes of [6, 20, 64]) {
      await hold();
      await pass();
    }
    expect(mail.mails).toHaveLength(1);
    minutes = 70;
    await pass();
    expect(mail.mails).toHaveLength(2);
    expect(mail.mails[1]?.subject).toContain('3 orders');
    expect(mail.mails[1]?.content).not.toContain('#1001:');
    minutes = 200;
    await pass();
    expect(mail.mails).toHaveLength(2);
  });

  test('orders that were on hold before the recipient was saved are reported, but not holds placed by hand or ended in time', async () => {
    await hold('held_by_hand', { ago: 10 });
    await hold('left_as_draft', { ago: 10 });
    const ended = await hold('create_refused', { ago: 4 });
    await base.db.query('update holds set resolved_at = now() where storefront_order_id = $1', [ended]);
    await pass();
    expect(mail.mails).toEqual([]);
    await hold('address_too_long', { ago: 60 * 24 });
    await pass();
    expect(mail.mails.map(({ subject }) => subject)).toEqual(['lamps.myshopify.com: 1 order needs your attention']);
  });

  test('an email never contains another shop’s holds', async () => {
    const other = await addShop(base.db, 'chairs.myshopify.com');
    await changeSettings(appAt(), other, { alertEmails: ['owner@chairs.example'] });
    await hold('address_too_long');
    await hold('create_refused', { shop: other });
    minutes = 5;
    await pass();
    expect(mail.mails).toHaveLength(2);
    for (const [own, order, foreign, otherOrder] of [
      ['lamps', '#1001:', 'chairs', '#1002:'],
      ['chairs', '#1002:', 'lamps', '#1001:'],
    ] as const) {
      const content = mail.mails.find(({ to }) => to[0] === `owner@${own}.example`)?.content;
      expect(content).toContain(order);
      expect(content).not.toContain(foreign);
      expect(content).not.toContain(otherOrder);
    }
  });

  test('a message in German contains no English text', async () => {
    await changeSettings(appAt(), shop, { alertLanguage: 'de' });
    await hold();
    minutes = 5;
    await pass();
    const { subject, content } = mail.mails[0]!;
    expect(subject).toBe('lamps.myshopify.com: 1 Bestellung braucht Ihre Aufmerksamkeit');
    expect(content).toContain('Adresse zu lang: 1 Bestellung');
    expect(content).toContain('Kürzen Sie dieses Feld der Lieferadresse unter „Adresse ändern“ oder in Ihrem Shop.');
    expect(content).toContain('lang="de"');
    expect(content).not.toMatch(/\byour\b|\bneeds\b|on hold/);
  });
});

describe('an alert about a connection', () => {
  test('a refused key and its holds cause one email, and a key that works again causes another', async () => {
    const account = await base.db.manager.save(PrintAccounts, {
      keyFingerprint: 'a',
      keyEncrypted: 'a',
      state: 'refused',
      refusedAt: NOW,
    });
    await base.db.manager.update(Shops, { id: shop.id }, { printAccountId: account.id });
    for (let number = 0; number < 2; number += 1) await hold('print_account_refused');
    minutes = 5;
    await pass();
    minutes = 90;
    await pass();
    expect(mail.mails.map(({ subject }) => subject)).toEqual([
      'lamps.myshopify.com: The print service refuses your API key',
    ]);
    expect(mail.mails[0]?.content).toContain('Key refused: 2 orders');
    await base.db.manager.update(PrintAccounts, { id: account.id }, { state: 'working', refusedAt: null });
    await pass();
    expect(mail.mails.map(({ subject }) => subject)).toEqual([
      'lamps.myshopify.com: The print service refuses your API key',
      'lamps.myshopify.com: The print service accepts your API key again',
    ]);
    minutes = 200;
    await pass();
    expect(mail.mails).toHaveLength(2);
  });

  test('refused payments, silent sources, a refused server, a lost sign-in and another app are reported together', async () => {
    const account = await base.db.manager.save(PrintAccounts, {
      keyFingerprint: 'a',
      keyEncrypted: 'a',
      paymentRefusedAt: NOW,
    });
    const lost = { printAccountId: account.id, adminRefusedAt: NOW, signedOutAt: NOW, state: 'needs_sign_in' } as const;
    await base.db.manager.update(Shops, { id: shop.id }, lost);
    for (const source of ['shopify', 'print'] as const) await recordPolledChanges(appAt(), source, [shop.id]);
    await base.db.query('update poll_news set silent_since = $1', [NOW]);
    await base.db.query(`insert into other_app_stores (shop_id, store_id, first_seen_at) values ($1, 'x', $2)`, [
      shop.id,
      NOW,
    ]);
    minutes = 5;
    await pass();
    expect(mail.mails).toHaveLength(1);
    for (const title of [
      'The print service refuses your payments',
      'Platen no longer has access to your store',
      "Shopify rejects Platen's server",
      "Another app prints your store's orders with the same print account",
      'No webhooks arrive from your store',
      'No updates arrive from the print service',
    ])
      expect(mail.mails[0]?.content).toContain(title);
  });
});

describe('a message that cannot be sent', () => {
  test('is retried with a growing delay and then sent once, with everything new since the last message', async () => {
    await hold();
    minutes = 5;
    const { port } = mail;
    await mail.close();
    await pass();
    expect(await stateOf()).toMatchObject({
      alertedAt: null,
      problem: {
        code: 'mail_unavailable',
        message: 'The mail server does not respond. Platen retries alerts until it does.',
      },
    });
    expect([await pass(), await countFailingChannels(base)]).toEqual([0, 1]);
    const tried: number[] = [];
    for (minutes of [6, 7, 8, 11, 12, 19, 20, 35, 36]) if ((await pass()) > 0) tried.push(minutes);
    expect(tried).toEqual([6, 8, 12, 20, 36]);
    await hold();
    mail = await startMailServer({ port });
    minutes = 100;
    await pass();
    await pass();
    expect(mail.mails.map(({ subject }) => subject)).toEqual(['lamps.myshopify.com: 2 orders need your attention']);
    expect(await stateOf()).toMatchObject({ problem: null, failedAt: null });
    expect(await countFailingChannels(base)).toBe(0);
    expect(base.logged()).toContain('"problem":"mail_unavailable"');
    expect(base.logged()).not.toContain('owner@lamps.example');
  });

  test('a refused recipient is shown, and new recipients get the message without delay', async () => {
    const server = await startMailServer({ refused: ['owner@lamps.example'] });
    await hold();
    minutes = 5;
    await pass(appAt(server));
    expect(await stateOf()).toMatchObject({ problem: { code: 'mail_recipient_refused' } });
    await changeSettings(appAt(server), shop, { alertEmails: ['new@lamps.example'] });
    await pass(appAt(server));
    expect(server.mails.map(({ to }) => to)).toEqual([['new@lamps.example']]);
    expect(await stateOf()).toMatchObject({ problem: null });
  });

  test('a chat that fails does not delay or repeat the emails', async () => {
    let isUp = false;
    let posts = 0;
    const chat = await startFileServer((request, response) => {
      request.resume();
      posts += 1;
      response.writeHead(isUp ? 200 : 503).end();
    });
    // The settings accept only port 443, which a test cannot use.
    const url = encryptColumn(base.config.encryptionKeys, `shops.alert_slack_url:${shop.id}`, chat.url('/x').href);
    await base.db.manager.update(Shops, { id: shop.id }, { alertSlackUrlEncrypted: url });
    await hold();
    minutes = 5;
    const send = () => sendAlerts(appAt(), { shopId: shop.id }, toGerman, chat.network);
    await send();
    minutes = 7;
    await send();
    expect([mail.mails.length, posts]).toEqual([1, 2]);
    isUp = true;
    minutes = 12;
    await send();
    await send();
    expect([mail.mails.length, posts]).toEqual([1, 3]);
  });

  test('a slow mail server can occupy at most three jobs at once', async () => {
    for (let number = 1; number < 6; number += 1) {
      const { id } = await addShop(base.db, `shop-${number}.myshopify.com`);
      await changeSettings(appAt(), { id }, { alertEmails: ['owner@lamps.example'] });
    }
    expect(await enqueueDueAlerts(appAt())).toBe(6);
    const [found]: object[] = await base.db.query(
      `select count(*)::int as jobs, count(distinct job_queue_id)::int as queues, count(job_queue_id)::int as placed
       from graphile_worker._private_jobs`,
    );
    expect(found).toEqual({ jobs: 6, queues: 3, placed: 6 });
  });

  test('two processes that send at the same time send only one message', async () => {
    await hold();
    minutes = 5;
    await Promise.all(Array.from({ length: 5 }, () => sendAlerts(appAt(), { shopId: shop.id }, toGerman)));
    expect(mail.mails).toHaveLength(1);
  });
});

test('a shop that has left Platen gets no message when the store later rejects Platen’s token', async () => {
  const signedOutAt = new Date(NOW.getTime() - 10 * MINUTE);
  const left = { signedInAt: new Date(0), leftAt: signedOutAt, state: 'needs_sign_in', signedOutAt } as const;
  await base.db.manager.update(Shops, { id: shop.id }, left);
  await hold('address_too_long', { ago: 10 });
  expect(await pass()).toBe(0);
  await base.db.manager.update(Shops, { id: shop.id }, { leftAt: null });
  await pass();
  expect(mail.mails.map(({ subject }) => subject)).toEqual([
    'lamps.myshopify.com: Platen no longer has access to your store',
  ]);
});

test('an uninstall removes the recipients, so that nothing more is sent', async () => {
  await changeSettings(appAt(), shop, { alertSlackUrl: 'https://hooks.slack.com/services/T0/B0/secret' });
  await hold();
  minutes = 5;
  await uninstallShop(appAt(), shop);
  await pass();
  expect(mail.mails).toEqual([]);
  const stored = await base.db.query('select to_jsonb(s) as row from shops s where id = $1', [shop.id]);
  expect(JSON.stringify(stored)).not.toContain('owner@lamps.example');
  expect(stored).toMatchObject([{ row: { alert_slack_url_encrypted: null } }]);
});

test('a test message is sent to the saved recipients immediately, and is refused for a shop without recipients', async () => {
  expect(await sendTest(appAt(), shop)).toEqual({ channels: [{ channel: 'email', problem: null }] });
  expect(mail.mails.map(({ subject }) => subject)).toEqual(['lamps.myshopify.com: Test message from Platen']);
  await mail.close();
  // Only alerts are retried, so the message must not promise that the test is.
  const message = 'The mail server does not respond. Platen retries alerts until it does.';
  expect(await sendTest(appAt(), shop)).toMatchObject({
    channels: [{ problem: { code: 'mail_unavailable', message } }],
  });
  await changeSettings(appAt(), shop, { alertEmails: [] });
  await expect(sendTest(appAt(), shop)).rejects.toMatchObject({ code: 'no_recipients' });
});
