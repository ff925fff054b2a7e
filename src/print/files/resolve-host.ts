import { Resolver } from 'node:dns/promises';

/** How often the name server is asked, and how long one question waits, in milliseconds; the caller's signal ends both sooner. */
const QUESTION = { timeout: 1_500, tries: 2 };
/** More than any file server has; what lies beyond is not looked at and not used. */
const MOST_ADDRESSES = 64;
/** The name server's word that there is no such name, or no address of this kind. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EFORMERR']);

/**
 * The IPv4 and IPv6 addresses of a host name, asked of the name server alone: names of this machine's own files and names completed by a
 * search list are none. Empty for a name without an address. `nameServers` (address:port) are this machine's own where they are left out.
 * Throws the resolver's error when the name server does not say.
 */
export async function resolveHost(host: string, signal: AbortSignal, nameServers?: string[]): Promise<string[]> {
  const resolver = new Resolver(QUESTION);
  if (nameServers) resolver.setServers(nameServers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find((answer) => answer.status === 'rejected' && !NONE.has(codeOf(answer.reason)));
    if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason as Error;
    return addresses.slice(0, MOST_ADDRESSES);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
