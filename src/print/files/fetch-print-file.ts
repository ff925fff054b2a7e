import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { isPublicAddress } from './is-public-address.ts';
import { HTTPS_PORT, judgeFileUrl } from './judge-file-url.ts';
import { resolveHost } from './resolve-host.ts';

/** From the start to the first bytes; of a head, to its last. */
const FIRST_BYTES_MS = 5_000;
/** For the rest of a whole file. */
const WHOLE_MS = 60_000;
const HEAD_BYTES = 64 * 1024;
const WHOLE_BYTES = 100 * 1024 * 1024;

/**
 * What came of asking for a print file.
 * - `read`: its first 64 KB, or all of it.
 * - `not_public`: the host is no name with addresses that are all on the public internet; nothing was connected.
 * - `bad_port`, `redirect`, `too_large`: asked for elsewhere than at port 443, led elsewhere, more than 100 MB.
 * - `status`: the server answered, without the file.
 * - `bad_certificate`: whoever answered could not show that it is this host.
 * - `slow`: not within 5 s (the whole file: not within a further minute); `unreachable`: no answer, or it broke off.
 */
export type FetchedPrintFile =
  | { outcome: 'read'; bytes: Buffer }
  | { outcome: 'status'; status: number }
  | {
      outcome: 'not_public' | 'bad_port' | 'redirect' | 'too_large' | 'bad_certificate' | 'slow' | 'unreachable';
    };

/** The internet as a file is fetched from it; a test has one of its own. */
export interface FileNetwork {
  /** The addresses of a host name, asked for once; empty for none. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  isPublic(address: string): boolean;
  port: number;
  /** The certificate authority that is trusted, PEM; left out: those that Node trusts. */
  ca?: string;
  firstBytesMs?: number;
}

const internet: FileNetwork = { resolve: resolveHost, isPublic: isPublicAddress, port: HTTPS_PORT };

/**
 * Fetches the first 64 KB of a print file that a merchant has linked (`head`), or all of it up to 100 MB (`whole`), without becoming a way
 * into the network that this runs in: the name is resolved once, each of its addresses must be public, and the connection goes to these
 * addresses alone, under the name's own certificate; no redirect is followed and no proxy used. `url` is https, without credentials.
 * Never throws for what name servers and file servers do.
 */
export async function fetchPrintFile(
  url: URL,
  read: 'head' | 'whole',
  network: FileNetwork = internet,
): Promise<FetchedPrintFile> {
  // Whoever calls has read it by the same rule: what is not to be connected to is refused here all the same.
  const fault = judgeFileUrl(url, network.port);
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

/** Ends what is under way after a time, which can be given anew. */
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

/** Connects to the addresses given, whatever a name server would say by then. */
function createPinnedAgent(addresses: readonly string[], ca: string | undefined, signal: AbortSignal): Agent {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all) return callback(null, pinned);
    const [first] = pinned;
    return callback(null, first?.address ?? '', first?.family);
  };
  return new Agent({
    // Certificates are verified whatever a variable of the environment says. The signal ends a connection in the making, too.
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
    // An answer that is not read is cut off with its connection.
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

/** What the status and the length of an answer say already; null: its body is to be read. */
function toGiven(status: number, length: number, read: 'head' | 'whole'): FetchedPrintFile | null {
  // The range of an empty file cannot be given.
  if (status === 416 && read === 'head') return { outcome: 'read', bytes: Buffer.alloc(0) };
  if (status >= 300 && status < 400) return { outcome: 'redirect' };
  if (status !== 200 && !(status === 206 && read === 'head')) return { outcome: 'status', status };
  return read === 'whole' && length > WHOLE_BYTES ? { outcome: 'too_large' } : null;
}

/** Codes with which a certificate is refused, by OpenSSL or by Node, or with which no encrypted connection comes about. */
const CERTIFICATE_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO$)|CERT|SIGNATURE|_CRL/;

function toFailure(error: unknown): 'bad_certificate' | 'unreachable' {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && CERTIFICATE_CODE.test(code) ? 'bad_certificate' : 'unreachable';
}
