import { isIP, type LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { isPublicAddress } from './is-public-address.ts';
import { HTTPS_PORT, checkFileUrl } from './check-file-url.ts';
import { resolveHost } from './resolve-host.ts';
import { systemClock, type Clock } from '../../clock.ts';

/** The network through which Platen reaches addresses that a merchant entered. Tests replace it. */
export interface FileNetwork {
  clock: Clock;
  /** Resolves a host name to its addresses. Returns an empty list for an unknown name. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  isPublic(address: string): boolean;
  port: number;
  /** The certificate authority to trust (PEM). The default is the set of authorities that Node trusts. */
  ca?: string;
  firstBytesMs?: number;
}

export const internet: FileNetwork = {
  clock: systemClock,
  resolve: resolveHost,
  isPublic: isPublicAddress,
  port: HTTPS_PORT,
};

export type Deadline = ReturnType<typeof createDeadline>;

/**
 * Opens an agent for requests to the host of an address that a merchant entered. The requests must not reach Platen's own network. Platen
 * therefore resolves the name once, requires that all its addresses be public, and connects only to these addresses. It verifies the
 * certificate for the name. If the host must not be reached or the deadline has passed, returns the reason instead of an agent. Throws the
 * resolver's error if the name server does not respond.
 */
export async function openPublicAgent(
  url: URL,
  network: FileNetwork,
  deadline: Deadline,
): Promise<{ agent: Agent } | { outcome: 'not_public' | 'bad_port' | 'slow' }> {
  // Callers have already checked the address. Checking it again here guarantees that no connection is made without the check.
  const refusal = checkFileUrl(url, network.port);
  if (refusal !== null) return { outcome: refusal };
  const addresses = await network.resolve(url.hostname, deadline.signal);
  if (deadline.signal.aborted) return { outcome: 'slow' };
  if (addresses.length === 0 || !addresses.every((address) => network.isPublic(address)))
    return { outcome: 'not_public' };
  return { agent: createPinnedAgent(addresses, network.ca, deadline.signal) };
}

/** Creates a signal that aborts after a time limit. `extend` restarts the time limit. */
export function createDeadline({ after }: Clock, milliseconds: number) {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let end = after(milliseconds, abort);
  return {
    signal: controller.signal,
    end: () => end(),
    extend(wait: number): void {
      end();
      end = after(wait, abort);
    },
  };
}

/** Creates an agent that connects only to the given addresses, even if the name now resolves to others. */
function createPinnedAgent(addresses: readonly string[], ca: string | undefined, signal: AbortSignal): Agent {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all) return callback(null, pinned);
    const [first] = pinned;
    return callback(null, first?.address ?? '', first?.family);
  };
  return new Agent({
    // Certificates are verified regardless of environment variables. The signal also stops a connection attempt.
    connect: { lookup, rejectUnauthorized: true, signal, timeout: 0, ...(ca === undefined ? {} : { ca }) },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** OpenSSL or Node error codes for a rejected certificate or a failed encrypted connection. */
const CERTIFICATE_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO$)|CERT|SIGNATURE|_CRL/;

/** Returns `bad_certificate` if a request failed because the server could not prove its identity, and otherwise `unreachable`. */
export function toConnectionFailure(error: unknown): 'bad_certificate' | 'unreachable' {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && CERTIFICATE_CODE.test(code) ? 'bad_certificate' : 'unreachable';
}
