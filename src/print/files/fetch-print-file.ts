import { request, type Agent } from 'undici';
import {
  createDeadline,
  internet,
  openPublicAgent,
  toConnectionFailure,
  type Deadline,
  type FileNetwork,
} from './public-host.ts';

/** Timeout until the first bytes arrive or, with `head`, until the last byte arrives. */
const FIRST_BYTES_MS = 5_000;
/** Timeout for the rest of a file that is read completely. */
const WHOLE_FILE_MS = 60_000;
const HEAD_BYTES = 64 * 1024;
const MAX_FILE_BYTES = 100 * 1024 * 1024;

/**
 * The result of fetching a print file.
 * - `read`: the first 64 KB of the file, or the entire file.
 * - `not_public`: the host is an IP address, or a name with no address or with one outside the public internet. Platen did not connect.
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

/**
 * Fetches the first 64 KB (`head`) of a print file that a merchant linked, or the entire file up to 100 MB (`whole`). Fetches only from
 * public hosts, follows no redirects and uses no proxy. `url` is https without credentials. Does not throw if a name server or file server
 * fails.
 */
export async function fetchPrintFile(
  url: URL,
  read: 'head' | 'whole',
  network: FileNetwork = internet,
): Promise<FetchedPrintFile> {
  const deadline = createDeadline(network.firstBytesMs ?? FIRST_BYTES_MS);
  let agent: Agent | null = null;
  try {
    const opened = await openPublicAgent(url, network, deadline);
    if ('outcome' in opened) return opened;
    ({ agent } = opened);
    return await readFile(agent, url, read, deadline);
  } catch (error) {
    return { outcome: deadline.signal.aborted ? 'slow' : toConnectionFailure(error) };
  } finally {
    deadline.end();
    await agent?.destroy();
  }
}

async function readFile(agent: Agent, url: URL, read: 'head' | 'whole', deadline: Deadline): Promise<FetchedPrintFile> {
  const most = read === 'head' ? HEAD_BYTES : MAX_FILE_BYTES;
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
  const earlyResult = toEarlyResult(statusCode, Number(headers['content-length']), read);
  if (earlyResult !== null) {
    // Closes the connection without reading the response.
    body.on('error', () => {}).destroy();
    return earlyResult;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (size === 0 && read === 'whole') deadline.extend(WHOLE_FILE_MS);
    chunks.push(chunk);
    size += chunk.length;
    if (size > most && read === 'whole') return { outcome: 'too_large' };
    if (size >= most && read === 'head') break;
  }
  return { outcome: 'read', bytes: Buffer.concat(chunks, Math.min(size, most)) };
}

/** Returns the result if the response's status and length determine it, or null if the body must be read. */
function toEarlyResult(status: number, length: number, read: 'head' | 'whole'): FetchedPrintFile | null {
  // A server responds with 416 to a request for a range of an empty file.
  if (status === 416 && read === 'head') return { outcome: 'read', bytes: Buffer.alloc(0) };
  if (status >= 300 && status < 400) return { outcome: 'redirect' };
  if (status !== 200 && !(status === 206 && read === 'head')) return { outcome: 'status', status };
  return read === 'whole' && length > MAX_FILE_BYTES ? { outcome: 'too_large' } : null;
}
