import { expect } from 'vitest';
import { readAlerts } from '../../../src/alerts/read-alerts.ts';
import { sendAlerts } from '../../../src/alerts/send-alerts.ts';
import { encryptColumn } from '../../../src/database/encrypt-column.ts';
import { Shops } from '../../../src/database/entities/shops.ts';
import { translateToGerman } from '../../../src/http/texts/german.ts';
import type { FileNetwork } from '../../../src/print/files/public-host.ts';
import { startMailServer } from '../../alerts/mail-server.ts';
import type { Platen } from '../../helpers/platen.ts';
import { startFileServer } from '../../print/files/file-server.ts';
import { eventually } from '../../helpers/eventually.ts';
import { atTime } from '../../helpers/at-time.ts';

/** Matches any part of the buyers' data. The words occur nowhere else. */
export const PERSONAL = /quillfeather|moorhen|2015550188/i;
export const PERSON = {
  email: 'quillfeather@person.example',
  phone: '+12015550188',
  note: 'Ring at Quillfeather',
  noteAttributes: { gift: 'for Quillfeather' },
  shippingAddress: {
    firstName: 'Ottoline',
    lastName: 'Quillfeather',
    company: 'Quillfeather Ltd',
    address1: '88 Moorhen  Street',
    address2: 'c/o Quillfeather',
    city: 'Moorhenville',
    zip: '11203',
    provinceCode: 'NY',
    countryCode: 'US',
    phone: '+12015550188',
  },
};
export const SMTP_PASSWORD = 'marked-smtp-password';
export const CHAT_PATH = '/services/T0/B0/marked-chat-path';
/** No name server can resolve this host, so messages to it fail. */
export const CHAT_ADDRESS = `https://chat.invalid${CHAT_PATH}`;
export const RECIPIENTS = ['marked.owner@shop.example', 'marked.helper@shop.example'];
const HOUR = 3_600_000;

/** The variables for a mail server that listens on this port and requires a login. */
export const mailVariables = (port: number): Record<string, string> => ({
  SMTP_URL: `smtp://platen:${SMTP_PASSWORD}@127.0.0.1:${port}`,
  MAIL_FROM: 'Platen <alerts@platen.example>',
});

/**
 * Sends a shop's alerts by email and to a chat. At first, no server responds. Then the mail server refuses the login, and finally one of
 * the recipients. `test` sends a test message.
 */
export async function sendMarkedAlerts(
  { app, shop }: Platen,
  port: number,
  test: () => Promise<unknown>,
): Promise<void> {
  await test();
  let isAccepted = false;
  const mail = await startMailServer({
    port,
    refused: RECIPIENTS.slice(1),
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password = '' }, _session, callback) =>
      callback(isAccepted && password === SMTP_PASSWORD ? null : new Error(`refused: ${password}`), { user: 'platen' }),
  });
  await test();
  // An alert is sent only some minutes after a hold or a failed attempt, so the clock is moved forward.
  const sendAfter = async (hours: number, network?: FileNetwork): Promise<void> => {
    const later = atTime(app, () => new Date(app.clock.now().getTime() + hours * HOUR));
    await sendAlerts(later, { shopId: shop.id }, (text) => translateToGerman(text).text, network);
  };
  const readProblems = async () => (await readAlerts(app, shop)).channels.map(({ problem }) => problem?.code);
  // A worker of the running Platen may have claimed the channels.
  await eventually(async () => {
    await sendAfter(24);
    return readProblems();
  }).toEqual(['mail_login_refused', expect.stringMatching(/^chat_/)]);

  isAccepted = true;
  const posts: (string | undefined)[] = [];
  const chat = await startFileServer((request, response) => {
    request.resume();
    posts.push(request.url);
    response.end();
  });
  // The settings accept only port 443, which a test cannot use.
  const address = chat.url(CHAT_PATH).href;
  const encrypted = encryptColumn(app.config.encryptionKeys, `shops.alert_slack_url:${shop.id}`, address);
  await app.db.manager.update(Shops, { id: shop.id }, { alertSlackUrlEncrypted: encrypted });
  await eventually(async () => {
    await sendAfter(48, chat.network);
    return readProblems();
  }).toEqual(['mail_recipient_refused', undefined]);
  expect(posts[0]).toBe(CHAT_PATH);
  expect(mail.mails[0]?.to).toEqual(RECIPIENTS.slice(0, 1));
  await test();
  expect(mail.mails.length).toBeGreaterThan(1);
}
