import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { App } from '../../app.ts';
import { AlertFailedError, type AlertProblem } from '../alert-failed-error.ts';
import { toHtml } from '../messages/to-html.ts';
import { toText } from '../messages/to-text.ts';
import type { Message } from '../messages/message.ts';

const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;
const TOTAL_MS = 60_000;
const SANDBOX_SENDER = 'Platen <platen@sandbox.example>';

/**
 * Sends a message by email to all of a shop's recipients. Returns a problem if the mail server accepted only some of them. Throws
 * AlertFailedError if, as far as Platen knows, no recipient has received it.
 */
export async function sendMail(
  { clock, config: { mail } }: Pick<App, 'clock' | 'config'>,
  to: readonly string[],
  message: Message,
): Promise<AlertProblem | null> {
  if (mail === null) throw new AlertFailedError('mail_not_set_up');
  const content = {
    from: 'url' in mail ? mail.from : SANDBOX_SENDER,
    to: to.map((address) => ({ name: '', address })),
    subject: message.subject,
    text: toText(message),
    html: toHtml(message),
    // Prevents out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
  if ('folder' in mail) return saveMail(mail.folder, content, clock.now());
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const transport = openTransport(mail.url);
  const cancel = clock.after(TOTAL_MS, () => reject(new AlertFailedError('mail_unavailable')));
  try {
    const { rejected } = await Promise.race([transport.sendMail(content), timeout]);
    return rejected.length > 0 ? 'mail_recipient_refused' : null;
  } catch (error) {
    throw error instanceof AlertFailedError ? error : new AlertFailedError(toProblem(error));
  } finally {
    cancel();
    transport.close();
  }
}

type Content = Parameters<ReturnType<typeof openTransport>['sendMail']>[0];

function openTransport(address: string) {
  const { protocol, hostname, port, username, password } = new URL(address);
  const isEncrypted = protocol === 'smtps:';
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return createTransport({
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (isEncrypted ? 465 : 587) : Number(port),
    secure: isEncrypted,
    // A password must not be sent unencrypted, even if an attacker removes STARTTLS from the server's response.
    requireTLS: !isEncrypted && username !== '' && !isLoopback,
    ...(username === '' ? {} : { auth }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The sandbox has no mail server, so its emails are files that a mail program can open. */
async function saveMail(folder: string, content: Content, now: Date): Promise<null> {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const { message } = await transport.sendMail(content);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${now.toISOString().replaceAll(':', '-')}.eml`), message as Buffer);
  return null;
}

/** The error's message may contain an address, so it is not passed on. */
function toProblem(error: unknown): AlertProblem {
  const { code, command, responseCode } = error as { code?: unknown; command?: unknown; responseCode?: unknown };
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'mail_login_refused';
  if (code === 'EENVELOPE') return command === 'RCPT TO' ? 'mail_recipient_refused' : 'mail_refused';
  return typeof responseCode === 'number' && responseCode >= 500 ? 'mail_refused' : 'mail_unavailable';
}
