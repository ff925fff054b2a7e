import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A message that the mail server has accepted. */
interface ReceivedMail {
  from: string;
  to: string[];
  /** The whole message, decoded. */
  content: string;
  subject: string;
}

export interface MailServer {
  /** The value of SMTP_URL for this server, without a login. */
  url: string;
  port: number;
  mails: ReceivedMail[];
  close: () => Promise<void>;
}

interface MailServerOptions extends SMTPServerOptions {
  /** Recipients that the server refuses. */
  refused?: readonly string[];
  port?: number;
}

/** Starts a real SMTP server on loopback for one test. By default, it offers no encryption and needs no login. */
export async function startMailServer({
  refused = [],
  port = 0,
  ...options
}: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, callback) =>
      callback(refused.includes(address) ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : null),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const content = decodeParts(Buffer.concat(chunks).toString('utf8'));
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          content,
          subject: /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(content)?.[1]?.replaceAll(/\r\n\s/g, ' ') ?? '',
        });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  const address = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${address.port}`, port: address.port, mails, close };
}

/** Decodes quoted-printable text and encoded words, so that tests can look for sentences. */
function decodeParts(raw: string): string {
  return raw
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=(?:\r\n )?/gi, (_, text: string) => decodeBytes(text.replaceAll('_', ' ')))
    .replaceAll(/=\?UTF-8\?B\?(.*?)\?=(?:\r\n )?/gi, (_, text: string) => Buffer.from(text, 'base64').toString('utf8'))
    .split(/(?=\r\n\r\n)/)
    .map((part) => decodeBytes(part.replaceAll('=\r\n', '')))
    .join('');
}

function decodeBytes(text: string): string {
  return text.replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
  );
}
