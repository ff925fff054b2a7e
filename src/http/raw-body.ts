import type { Context } from 'koa';
import { EndpointError } from './error-response.ts';
import { countBodyBytes } from './limits/admit.ts';
import { createBodyBudget } from './limits/body-budget.ts';

/** The number of bytes beyond a body's limit that are read and discarded, so that the sender can still read the response. */
const DRAINED_BYTES = 8 * 1024 * 1024;
/** The budget for all bodies that this process holds. It is sufficient for 32 of the largest webhooks. */
const budget = createBodyBudget(64 * 1024 * 1024);
/** The memory overhead of each chunk. It counts toward the budget because a body may arrive byte by byte. */
const CHUNK_BYTES = 256;

/**
 * Reads the raw bytes of a request's body. Nothing is decompressed or decoded, because signatures cover the raw bytes. The bytes count
 * toward the process's budget until the request is finished. Throws EndpointError 413 over `limit` bytes, 400 if the sender disconnects
 * before the end, and 503 if the process holds too many bytes. The server's request timeout limits the reading time.
 */
export async function readRawBody(ctx: Context, limit: number): Promise<Buffer> {
  const { req, res } = ctx;
  // If the sender has already disconnected, no event would end the read.
  if (req.destroyed || res.destroyed) throw incompleteError();
  const read = Promise.withResolvers<Buffer>();
  const share = budget.open(() => read.reject(tooBusyError()));
  const chunks: Buffer[] = [];
  let size = 0;
  const tooLarge = (): void =>
    read.reject(new EndpointError(413, 'body_too_large', `The body is larger than ${limit} bytes.`));
  const onData = (chunk: unknown): void => {
    if (!Buffer.isBuffer(chunk)) {
      read.reject(new TypeError('The request was decoded before its bytes were read.'));
      return;
    }
    size += chunk.length;
    countBodyBytes(ctx, size);
    if (size <= limit && share.add(chunk.length + CHUNK_BYTES)) chunks.push(chunk);
    if (size > limit + DRAINED_BYTES) tooLarge();
  };
  const onEnd = (): void => (size > limit ? tooLarge() : read.resolve(Buffer.concat(chunks, size)));
  // "close" also follows "end", when the body is complete and no error is needed.
  const onClose = (): void => {
    if (!req.readableEnded) read.reject(incompleteError());
  };
  const listeners = { data: onData, end: onEnd, error: onClose, close: onClose };
  for (const [name, listener] of Object.entries(listeners)) req.on(name, listener);
  res.once('close', () => share.release());
  try {
    return await read.promise;
  } catch (error) {
    share.release();
    throw error;
  } finally {
    share.keep();
    for (const [name, listener] of Object.entries(listeners)) req.off(name, listener);
  }
}

function incompleteError(): EndpointError {
  return new EndpointError(400, 'incomplete_body', 'The body ended before it was complete.');
}

function tooBusyError(): EndpointError {
  return new EndpointError(503, 'too_busy', 'Too much data is being sent right now. Send the request again.', {
    retryAfterSeconds: 1,
  });
}
