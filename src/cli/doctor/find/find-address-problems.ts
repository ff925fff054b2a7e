import { findingsOf, type Finding } from '../finding.ts';

const { ok, warning, error } = findingsOf('address');

export interface AddressFacts {
  url: string;
  /** Null if the address did not respond. */
  answer: { status: number; isPlaten: boolean; milliseconds: number } | null;
  /** The error's code if the address did not respond. */
  failure: string | null;
}

/** Finds problems with the public address when this server sends a request to it. */
export function findAddressProblems({ url, answer, failure }: AddressFacts): Finding[] {
  const subject = 'SHOPIFY_APP_URL';
  if (answer === null)
    return [
      warning({
        subject,
        message: `${url} did not respond to this server (${failure ?? 'no response'}).`,
        remedy:
          'Check that Platen is running, and check the DNS record, the certificate and the proxy. Some networks cannot reach their own public address. In that case, try the address from another network.',
      }),
    ];
  const { status, isPlaten, milliseconds } = answer;
  if (isPlaten) return [ok({ subject, message: `${url} responded in ${Math.round(milliseconds)} ms.` })];
  return [
    error({
      subject,
      message: `${url} responded with status ${status}, but the response is not from Platen. Shopify's webhooks cannot reach Platen.`,
      remedy: 'Forward all paths of the address to Platen, without a sign-in and without redirects.',
    }),
  ];
}
