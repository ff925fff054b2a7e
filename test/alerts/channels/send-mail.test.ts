import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sendMail } from '../../../src/alerts/channels/send-mail.ts';
import type { Message } from '../../../src/alerts/messages/message.ts';
import { readConfig, type Config } from '../../../src/config.ts';
import { createCertificate } from '../../print/files/file-server.ts';
import { startMailServer } from '../mail-server.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { systemClock, type Clock } from '../../../src/clock.ts';

const MESSAGE: Message = {
  language: 'de',
  subject: 'Lädchen <Köln>: 2 Bestellungen brauchen Ihre Aufmerksamkeit',
  sections: [
    {
      title: 'Adresse zu lang: 1 Bestellung',
      texts: ['Kürzen Sie dieses Feld.'],
      links: [{ label: '#1001 <b>', url: 'https://admin.shopify.com/store/demo/apps/key/orders/1001' }],
    },
  ],
  footer: { text: 'Platen sendet diese Nachricht.', link: { label: 'Ändern', url: 'https://admin.shopify.com/x' } },
};

function configFor(url: string): { clock: Clock; config: Config } {
  return {
    clock: systemClock,
    config: readConfig({ PLATEN_HOME: tmpdir(), SMTP_URL: url, MAIL_FROM: 'Platen <alerts@platen.example>' }),
  };
}

test('an email reaches all recipients, as text and as HTML with escaped names', async () => {
  const server = await startMailServer();
  expect(await sendMail(configFor(server.url), ['a@shop.example', 'b@shop.example'], MESSAGE)).toBeNull();
  const [mail] = server.mails;
  expect(mail).toMatchObject({
    from: 'alerts@platen.example',
    to: ['a@shop.example', 'b@shop.example'],
    subject: MESSAGE.subject,
  });
  expect(mail?.content).toContain('#1001 <b>: https://admin.shopify.com/store/demo/apps/key/orders/1001');
  expect(mail?.content).toContain('>#1001 &lt;b&gt;</a>');
  expect(mail?.content).toContain('Lädchen &lt;Köln&gt;');
  expect(mail?.content).toContain('From: Platen <alerts@platen.example>');
  expect(mail?.content).toContain('Auto-Submitted: auto-generated');
});

test('if the server refuses one of the recipients, the other still gets the email, and the problem is returned', async () => {
  const server = await startMailServer({ refused: ['gone@shop.example'] });
  const to = ['gone@shop.example', 'b@shop.example'];
  expect(await sendMail(configFor(server.url), to, MESSAGE)).toBe('mail_recipient_refused');
  expect(server.mails.map((mail) => mail.to)).toEqual([['b@shop.example']]);
  await expect(sendMail(configFor(server.url), ['gone@shop.example'], MESSAGE)).rejects.toMatchObject({
    problem: 'mail_recipient_refused',
  });
});

test('a login is sent only over an encrypted connection, and a wrong login is reported', async () => {
  const certificate = createCertificate(['localhost']);
  const logins: unknown[] = [];
  const server = await startMailServer({
    ...certificate,
    secure: true,
    authOptional: false,
    onAuth: ({ username, password }, _session, callback) => {
      logins.push([username, password]);
      callback(password === 'p@ss' ? null : new Error('wrong'), { user: 'platen' });
    },
  });
  const at = (login: string) => configFor(`smtps://${login}@localhost:${server.port}`);
  // The server's certificate is not trusted, so no login is sent.
  await expect(sendMail(at('user:p%40ss'), ['a@shop.example'], MESSAGE)).rejects.toMatchObject({
    problem: 'mail_unavailable',
  });
  expect(logins).toEqual([]);
});

test('a login that the server refuses is reported without the password', async () => {
  const server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, callback) =>
      callback(password === 'p@ss' ? null : new Error(`wrong ${password}`), { user: 'platen' }),
  });
  const at = (login: string) => configFor(`smtp://${login}@127.0.0.1:${server.port}`);
  const refused = await sendMail(at('user:wrong'), ['a@shop.example'], MESSAGE).catch((error: unknown) => error);
  expect(refused).toMatchObject({ problem: 'mail_login_refused' });
  expect(JSON.stringify([refused, String(refused), (refused as Error).cause ?? ''])).not.toContain('wrong');
  expect(await sendMail(at('user:p%40ss'), ['a@shop.example'], MESSAGE)).toBeNull();
});

test('a server that is down, or that accepts a connection but never responds, is reported as unavailable', async () => {
  const server = await startMailServer();
  await server.close();
  await expect(sendMail(configFor(server.url), ['a@shop.example'], MESSAGE)).rejects.toMatchObject({
    problem: 'mail_unavailable',
  });
  const dropping = createServer((socket) => void socket.destroy());
  dropping.listen(0, '127.0.0.1');
  await once(dropping, 'listening');
  onTestFinished(() => void dropping.close());
  const { port } = dropping.address() as AddressInfo;
  await expect(sendMail(configFor(`smtp://127.0.0.1:${port}`), ['a@shop.example'], MESSAGE)).rejects.toMatchObject({
    problem: 'mail_unavailable',
  });
});

test('the sandbox saves emails as files, and an installation without a mail server sends no emails', async () => {
  const home = mkdtempSync(join(tmpdir(), 'platen-mail-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const config = readConfig({ PLATEN_HOME: home });
  expect(await sendMail({ clock: systemClock, config }, ['a@shop.example'], MESSAGE)).toBeNull();
  const [file = ''] = readdirSync(join(home, 'mail'));
  expect(readFileSync(join(home, 'mail', file), 'utf8')).toContain('To: a@shop.example');
  await expect(
    sendMail({ clock: systemClock, config: { ...config, mail: null } }, ['a@shop.example'], MESSAGE),
  ).rejects.toMatchObject({ problem: 'mail_not_set_up' });
});

test('a mail server address whose user or password is not percent-encoded is refused at startup', () => {
  for (const login of ['alerts:50%off', 'al%erts:secret'])
    expect(() => configFor(`smtps://${login}@mail.example.com`)).toThrow('percent-encoded');
  expect(configFor('smtps://alerts%40shop.example:50%25off@mail.example.com').config.mail).not.toBeNull();
});
