import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShownAlerts } from '../../../src/alerts/read-alerts.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { addShop, openTestEndpoints, createTestSessionToken, type TestEndpoints, refusal } from '../test-app.ts';
import { startMailServer } from '../../alerts/mail-server.ts';

let endpoints: TestEndpoints;
let shop: Shop;

beforeAll(async () => {
  endpoints = await openTestEndpoints({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'platen@platen.example' });
  shop = await addShop(endpoints.app.db);
});
afterAll(() => endpoints.close());

async function call(method: string, path: string, body?: unknown, language = 'en') {
  const answer = await fetch(`${endpoints.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${createTestSessionToken(shop.domain)}`, 'Accept-Language': language },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('a test message requires a recipient, and its failure is reported in the merchant’s language', async () => {
  expect(await call('POST', '/api/alerts/test')).toMatchObject(refusal(409, { code: 'no_recipients' }));
  expect((await call('PUT', '/api/settings', { alertEmails: ['owner@shop.example'] })).status).toBe(200);
  const mail = await startMailServer();
  endpoints.app.config.mail = { url: mail.url, from: 'platen@platen.example' };
  expect(await call('POST', '/api/alerts/test')).toEqual({
    status: 200,
    body: { channels: [{ channel: 'email', problem: null }] },
  });
  expect(mail.mails.map(({ to }) => to)).toEqual([['owner@shop.example']]);
  await mail.close();
  expect((await call('POST', '/api/alerts/test', undefined, 'de')).body).toMatchObject({
    channels: [
      {
        problem: {
          message: 'Der Mailserver antwortet nicht. Platen sendet Benachrichtigungen erneut, bis er antwortet.',
        },
      },
    ],
  });
});

test('the settings reject an invalid recipient, and never return the chat’s address', async () => {
  const put = (change: object) => call('PUT', '/api/settings', change);
  expect((await put({ alertEmails: ['owner@shop.example', 'owner'] })).body).toMatchObject({
    error: { field: 'alertEmails.1', rule: 'must be email addresses such as orders@example.com' },
  });
  expect((await put({ alertEmails: ['a\r\nBcc: b@c.example'] })).status).toBe(400);
  expect((await put({ alertEmails: Array.from({ length: 6 }, (_, n) => `a${n}@b.example`) })).status).toBe(400);
  for (const address of [
    'http://hooks.slack.com/x',
    'https://127.0.0.1/x',
    'https://localhost/x',
    'https://a.example:8443/x',
  ])
    expect((await put({ alertSlackUrl: address })).body).toMatchObject({ error: { field: 'alertSlackUrl' } });
  const saved = await put({ alertSlackUrl: 'https://hooks.slack.com/services/T0/B0/verysecret' });
  expect(saved.body).toMatchObject({ alertSlackUrl: { last4: 'cret' } });
  expect(JSON.stringify([saved.body, endpoints.app.logged()])).not.toContain('verysecret');
  const rows = await endpoints.app.db.query('select to_jsonb(s) as shop from shops s where id = $1', [shop.id]);
  expect(JSON.stringify(rows)).not.toContain('verysecret');
  expect((await put({ alertSlackUrl: null })).body).toMatchObject({ alertSlackUrl: null });
});

test('without a mail server, email addresses are rejected, and the API reports that emails cannot be sent', async () => {
  endpoints.app.config.mail = null;
  const { body } = await call('GET', '/api/alerts');
  expect(body as unknown as ShownAlerts).toMatchObject({ canMail: false });
  expect((await call('PUT', '/api/settings', { alertEmails: ['owner@shop.example'] })).body).toMatchObject({
    error: { field: 'alertEmails' },
  });
  expect((await call('PUT', '/api/settings', { alertEmails: [] })).status).toBe(200);
});

test('a shop can send only a few test messages in a row', async () => {
  const statuses: number[] = [];
  for (let number = 0; number < 12; number += 1) statuses.push((await call('POST', '/api/alerts/test')).status);
  expect(statuses).toContain(429);
});
