import type { Context } from 'koa';
import { DoorError } from './error-response.ts';
import { countBody } from './limits/admit.ts';
import { createBodyBudget } from './limits/body-budget.ts';

/** What is read and thrown away of a body over its limit, so that its sender gets to read the answer. */
const DRAINED_BYTES = 8 * 1024 * 1024;
/** All bodies that this process holds share it: 32 of the largest webhooks. */
const budget = createBodyBudget(64 * 1024 * 1024);
/** What a chunk takes beside its bytes: a body may come byte by byte. */
const CHUNK_BYTES = 256;

/**
 * The bytes of a request's body as they came: nothing is inflated or decoded, because a signature is over these. They count towards what
 * the process holds until the request is answered. Throws DoorError 413 over `limit` bytes, 400 when the sender goes away before the end,
 * and 503 when the process holds too many bytes. The server's request timeout bounds its time.
 */
export async function readRawBody(ctx: Context, limit: number): Promise<Buffer> {
  const { req, res } = ctx;
  // A sender that is gone causes no event that would end the reading.
  if (req.destroyed || res.destroyed) throw incomplete();
  const read = Promise.withResolvers<Buffer>();
  const share = budget.open(() => read.reject(tooBusy()));
  const chunks: Buffer[] = [];
  let size = 0;
  const tooLarge = (): void =>
    read.reject(new DoorError(413, 'body_too_large', `The body is larger than ${limit} bytes.`));
  const onData = (chunk: unknown): void => {
    if (!Buffer.isBuffer(chunk)) {
      read.reject(new TypeError('The request was decoded before its bytes were read.'));
      return;
    }
    size += chunk.length;
    countBody(ctx, size);
    if (size <= limit && share.add(chunk.length + CHUNK_BYTES)) chunks.push(chunk);
    if (size > limit + DRAINED_BYTES) tooLarge();
  };
  const onEnd = (): void => (size > limit ? tooLarge() : read.resolve(Buffer.concat(chunks, size)));
  // "close" also follows "end": by then the body is whole, and an error that nobody reads takes time to make.
  const onClose = (): void => {
    if (!req.readableEnded) read.reject(incomplete());
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

function incomplete(): DoorError {
  return new DoorError(400, 'incomplete_body', 'The body ended too early.');
}

function tooBusy(): DoorError {
  return new DoorError(503, 'too_busy', 'Too much is being sent at the moment. Send it again.', {
    retryAfterSeconds: 1,
  });
}
