import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { isPublicAddress } from './is-public-address.ts';
import { HTTPS_PORT, checkFileUrl } from './check-file-url.ts';
import { resolveHost } from './resolve-host.ts';

/** Timeout from the start to the first bytes or, with `head`, to the last bytes. */
const FIRST_BYTES_MS = 5_000;
/** Timeout for the rest of a file that is read completely. */
const WHOLE_MS = 60_000;
const HEAD_BYTES = 64 * 1024;
const WHOLE_BYTES = 100 * 1024 * 1024;

/**
 * The result of fetching a print file.
 * - `read`: the first 64 KB of the file, or the entire file.
 * - `not_public`: the host is not a name whose addresses are all on the public internet. Platen did not connect.
 * - `bad_port`, `redirect`, `too_large`: a port other than 443, a redirect, or more than 100 MB.
 * - `status`: the server responded with an unexpected status, such as 404.
 * - `bad_certificate`: the server could not prove its identity.
 * - `slow`: the file did not arrive within 5 seconds, or the rest of an entire file did not arrive within another minute.
 * - `unreachable`: the server did not respond, or the connection broke.
 */
export type FetchedPrintFile =
  | { outcome: 'read'; bytes: Buffer }
  | { outcome: 'status'; status: number }
  | {
      outcome: 'not_public' | 'bad_port' | 'redirect' | 'too_large' | 'bad_certificate' | 'slow' | 'unreachable';
    };

/** The network from which files are fetched. Tests use a separate one. */
export interface FileNetwork {
  /** Resolves a host name to its addresses, once. Returns an empty list for an unknown name. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  isPublic(address: string): boolean;
  port: number;
  /** The certificate authority to trust (PEM). By default, those that Node trusts. */
  ca?: string;
  firstBytesMs?: number;
}

const internet: FileNetwork = { resolve: resolveHost, isPublic: isPublicAddress, port: HTTPS_PORT };

/**
 * Fetches the first 64 KB (`head`) of a print file that a merchant linked, or up to 100 MB of it (`whole`). The fetch must not reach
 * Platen's own network. Platen therefore resolves the name once, requires that all its addresses be public, and connects only to these
 * addresses. It verifies the certificate for the name, follows no redirects, and uses no proxy. `url` is https without credentials. Does
 * not throw if a name server or file server fails.
 */
export async function fetchPrintFile(
  url: URL,
  read: 'head' | 'whole',
  network: FileNetwork = internet,
): Promise<FetchedPrintFile> {
  // Callers already check the address by the same rule. The check is repeated here, so that no connection can be made without it.
  const fault = checkFileUrl(url, network.port);
  if (fault !== null) return { outcome: fault };
  const deadline = createDeadline(network.firstBytesMs ?? FIRST_BYTES_MS);
  let agent: Agent | null = null;
  try {
    const addresses = await network.resolve(url.hostname, deadline.signal);
    if (deadline.signal.aborted) return { outcome: 'slow' };
    if (addresses.length === 0 || !addresses.every((address) => network.isPublic(address)))
      return { outcome: 'not_public' };
    agent = createPinnedAgent(addresses, network.ca, deadline.signal);
    return await readFile(agent, url, read, deadline);
  } catch (error) {
    return { outcome: deadline.signal.aborted ? 'slow' : toFailure(error) };
  } finally {
    deadline.end();
    await agent?.destroy();
  }
}

/** Creates a signal that aborts after a time limit. `extend` restarts the time limit. */
function createDeadline(milliseconds: number) {
  const controller = new AbortController();
  const after = (wait: number): NodeJS.Timeout => setTimeout(() => controller.abort(), wait);
  let timer = after(milliseconds);
  const end = (): void => clearTimeout(timer);
  return {
    signal: controller.signal,
    end,
    extend(wait: number): void {
      end();
      timer = after(wait);
    },
  };
}

/** Creates an agent that connects only to the given addresses, even if a name server would now return others. */
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

async function readFile(
  agent: Agent,
  url: URL,
  read: 'head' | 'whole',
  deadline: ReturnType<typeof createDeadline>,
): Promise<FetchedPrintFile> {
  const most = read === 'head' ? HEAD_BYTES : WHOLE_BYTES;
  const { statusCode, headers, body } = await request(url, {
    dispatcher: agent,
    headers: {
      accept: 'application/pdf,image/png,image/jpeg',
      'accept-encoding': 'identity',
      'user-agent': 'platen',
      ...(read === 'head' && { range: `bytes=0-${HEAD_BYTES - 1}` }),
    },
    signal: deadline.signal,
  });
  const given = toGiven(statusCode, Number(headers['content-length']), read);
  if (given !== null) {
    // Closes an unread response together with its connection.
    body.on('error', () => {}).destroy();
    return given;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (size === 0 && read === 'whole') deadline.extend(WHOLE_MS);
    chunks.push(chunk);
    size += chunk.length;
    if (size > most && read === 'whole') return { outcome: 'too_large' };
    if (size >= most && read === 'head') break;
  }
  return { outcome: 'read', bytes: Buffer.concat(chunks, Math.min(size, most)) };
}

/** Returns the result if the response's status and length determine it, or null if the body must be read. */
function toGiven(status: number, length: number, read: 'head' | 'whole'): FetchedPrintFile | null {
  // A server responds with 416 to a request for a range of an empty file.
  if (status === 416 && read === 'head') return { outcome: 'read', bytes: Buffer.alloc(0) };
  if (status >= 300 && status < 400) return { outcome: 'redirect' };
  if (status !== 200 && !(status === 206 && read === 'head')) return { outcome: 'status', status };
  return read === 'whole' && length > WHOLE_BYTES ? { outcome: 'too_large' } : null;
}

/** OpenSSL or Node error codes for a rejected certificate or a failed encrypted connection. */
const CERTIFICATE_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO$)|CERT|SIGNATURE|_CRL/;

function toFailure(error: unknown): 'bad_certificate' | 'unreachable' {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && CERTIFICATE_CODE.test(code) ? 'bad_certificate' : 'unreachable';
}
