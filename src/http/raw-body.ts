import type { IncomingMessage } from 'node:http';
import { DoorError } from './error-response.ts';

/** What is read and thrown away of a body over its limit, so that its sender gets to read the answer. */
const DRAINED_BYTES = 8 * 1024 * 1024;

/**
 * The bytes of a request's body as they came: nothing is inflated or decoded, a signature is over these. Throws DoorError 413 over
 * `limit` bytes, 400 when the sender goes away in mid-body. Its time is bounded by the server's request timeout.
 */
export async function readRawBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Ending the loop must not destroy the socket: the answer goes out on it.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('The request was decoded before its bytes were read.');
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      if (size > limit + DRAINED_BYTES) break;
    }
  } catch (error) {
    if (error instanceof TypeError) throw error;
    throw new DoorError(400, 'incomplete_body', 'The body ended too early.');
  }
  if (size > limit) throw new DoorError(413, 'body_too_large', `The body is larger than ${limit} bytes.`);
  return Buffer.concat(chunks, size);
}
