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
/** The size of the largest print file that is read as a whole. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/**
 * Why a print file could not be fetched.
 * - `not_public`: the host is an IP address, or a name with no address or with one outside the public internet. Platen did not connect.
 * - `bad_port`, `redirect`, `too_large`: a port other than 443, a redirect, or more than 100 MB.
 * - `status`: the server responded with an unexpected status, such as 404.
 * - `bad_certificate`: the server could not prove its identity.
 * - `slow`: the file did not arrive within 5 seconds, or the rest of an entire file did not arrive within another minute.
 * - `unreachable`: the server did not respond, or the connection broke.
 */
export type FailedFetch =
  | { outcome: 'status'; status: number }
  | {
      outcome: 'not_public' | 'bad_port' | 'redirect' | 'too_large' | 'bad_certificate' | 'slow' | 'unreachable';
    };

/** Thrown into the reader of a file whose rest cannot be fetched. */
class BrokenFileError extends Error {
  override name = 'BrokenFileError';
  readonly fetched: FailedFetch;

  constructor(fetched: FailedFetch, cause?: unknown) {
    super('The print file could not be read to its end.', { cause });
    this.fetched = fetched;
  }
}

/**
 * Fetches the first 64 KB of a print file that a merchant linked. Fetches only from public hosts, follows no redirects and uses no proxy.
 * `url` is https without credentials. Does not throw if a name server or file server fails.
 */
export async function fetchPrintFile(
  url: URL,
  network: FileNetwork = internet,
): Promise<{ outcome: 'read'; bytes: Buffer } | FailedFetch> {
  const fetched = await readFile(url, 'head', network, async (chunks) => {
    const kept: Buffer[] = [];
    let size = 0;
    for await (const chunk of chunks) {
      kept.push(chunk);
      size += chunk.length;
      if (size >= HEAD_BYTES) break;
    }
    return Buffer.concat(kept, Math.min(size, HEAD_BYTES));
  });
  return 'result' in fetched ? { outcome: 'read', bytes: fetched.result } : fetched;
}

/**
 * Fetches an entire print file of up to 100 MB, as `fetchPrintFile` does. `read` gets the file chunk by chunk, so that the file never is in
 * memory as a whole. If the rest of the file cannot be fetched, the iteration throws, and the result is the failure. Errors of `read` itself
 * are thrown.
 */
export async function streamPrintFile<T>(
  url: URL,
  read: (chunks: AsyncIterable<Buffer>) => Promise<T>,
  network: FileNetwork = internet,
): Promise<{ outcome: 'read'; result: T } | FailedFetch> {
  return readFile(url, 'whole', network, read);
}

async function readFile<T>(
  url: URL,
  part: 'head' | 'whole',
  network: FileNetwork,
  read: (chunks: AsyncIterable<Buffer>) => Promise<T>,
): Promise<{ outcome: 'read'; result: T } | FailedFetch> {
  const deadline = createDeadline(network.clock, network.firstBytesMs ?? FIRST_BYTES_MS);
  let agent: Agent | null = null;
  try {
    const body = await toFetched(deadline, async () => {
      const opened = await openPublicAgent(url, network, deadline);
      if ('outcome' in opened) return opened;
      ({ agent } = opened);
      return requestFile(agent, url, part, deadline);
    });
    if ('outcome' in body) return body;
    return { outcome: 'read', result: await read(toChunks(body.chunks, part, deadline)) };
  } catch (error) {
    if (error instanceof BrokenFileError) return error.fetched;
    throw error;
  } finally {
    deadline.end();
    await (agent as Agent | null)?.destroy();
  }
}

/** Returns the failure if the name server, the connection or the file server fails. */
async function toFetched<T>(deadline: Deadline, act: () => Promise<T>): Promise<T | FailedFetch> {
  try {
    return await act();
  } catch (error) {
    return toFailure(deadline, error);
  }
}

function toFailure(deadline: Deadline, error: unknown): FailedFetch {
  return { outcome: deadline.signal.aborted ? 'slow' : toConnectionFailure(error) };
}

async function requestFile(
  agent: Agent,
  url: URL,
  part: 'head' | 'whole',
  deadline: Deadline,
): Promise<{ chunks: AsyncIterable<Buffer> } | FailedFetch> {
  const { statusCode, headers, body } = await request(url, {
    dispatcher: agent,
    headers: {
      accept: 'application/pdf,image/png,image/jpeg',
      'accept-encoding': 'identity',
      'user-agent': 'platen',
      ...(part === 'head' && { range: `bytes=0-${HEAD_BYTES - 1}` }),
    },
    signal: deadline.signal,
  });
  const failure = findFailure(statusCode, Number(headers['content-length']), part);
  const isEmpty = statusCode === 416 && part === 'head';
  if (failure === null && !isEmpty) return { chunks: body as AsyncIterable<Buffer> };
  // Closes the connection without reading the response.
  body.on('error', () => {}).destroy();
  return failure ?? { chunks: emptyFile() };
}

/** Returns the failure if the response's status and length determine it, or null if the body must be read. */
function findFailure(status: number, length: number, part: 'head' | 'whole'): FailedFetch | null {
  // A server responds with 416 to a request for a range of an empty file.
  if (status === 416 && part === 'head') return null;
  if (status >= 300 && status < 400) return { outcome: 'redirect' };
  if (status !== 200 && !(status === 206 && part === 'head')) return { outcome: 'status', status };
  return part === 'whole' && length > MAX_FILE_BYTES ? { outcome: 'too_large' } : null;
}

async function* emptyFile(): AsyncGenerator<Buffer> {}

/** Yields a file's chunks. Throws BrokenFileError if the connection breaks, the time limit passes or an entire file is too large. */
async function* toChunks(
  body: AsyncIterable<Buffer>,
  part: 'head' | 'whole',
  deadline: Deadline,
): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const chunk of body) {
      if (size === 0 && part === 'whole') deadline.extend(WHOLE_FILE_MS);
      size += chunk.length;
      if (part === 'whole' && size > MAX_FILE_BYTES) throw new BrokenFileError({ outcome: 'too_large' });
      yield chunk;
    }
  } catch (error) {
    throw error instanceof BrokenFileError ? error : new BrokenFileError(toFailure(deadline, error), error);
  }
}
