import { Resolver } from 'node:dns/promises';

/**
 * The timeout of each query in milliseconds, and the number of queries to a name server. The caller's signal can end the lookup earlier.
 */
const RESOLVER_OPTIONS = { timeout: 1_500, tries: 2 };
/** More addresses than any file server has. Any further addresses are ignored. */
const MAX_ADDRESSES = 64;
/** The name server's codes for a name that does not exist or has no address of this kind. */
const NO_ADDRESS_CODES = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EFORMERR']);

/**
 * Resolves a host name to its IPv4 and IPv6 addresses. Queries only the name server, and ignores the hosts file and search lists. Returns
 * an empty list for a name without an address. `nameServers` (address:port) defaults to this machine's name servers. Throws the
 * resolver's error if the name server does not respond.
 */
export async function resolveHost(host: string, signal: AbortSignal, nameServers?: string[]): Promise<string[]> {
  const resolver = new Resolver(RESOLVER_OPTIONS);
  if (nameServers) resolver.setServers(nameServers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find(
      (answer) => answer.status === 'rejected' && !NO_ADDRESS_CODES.has(getErrorCode(answer.reason)),
    );
    if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason as Error;
    return addresses.slice(0, MAX_ADDRESSES);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function getErrorCode(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
