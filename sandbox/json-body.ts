import type { Context, Middleware } from 'koa';
import { Refusal } from './refusal.ts';

const BODY_LIMIT_BYTES = 2 * 1024 * 1024;
const bodies = new WeakMap<object, string>();

/**
 * Reads the whole body before the handlers run, so that a handler can finish even after its client has disconnected. Responds with 413 if
 * the body is over 2 MiB.
 */
export function readBody(): Middleware {
  return async (ctx, next) => {
    const body = await readText(ctx);
    if (body === 'left') {
      ctx.respond = false;
      return;
    }
    if (body === 'too large') {
      ctx.status = 413;
      ctx.set('connection', 'close');
      ctx.body = { code: 'too_large', message: 'The body is over 2 MiB.', details: [] };
      return;
    }
    bodies.set(ctx.req, body.toString('utf8'));
    await next();
  };
}

async function readText(ctx: Context): Promise<Buffer | 'left' | 'too large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Without this option, leaving the loop early would close the connection before the response is sent.
    for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > BODY_LIMIT_BYTES) return 'too large';
      chunks.push(chunk);
    }
  } catch {
    return 'left';
  }
  return Buffer.concat(chunks);
}

/** Returns the raw body of the request. Requires `readBody`. */
export function textOf(ctx: Context): string {
  return bodies.get(ctx.req) ?? '';
}

/** Returns the parsed JSON body of the request. Throws a 400 if the body is not JSON. */
export function jsonOf(ctx: Context): unknown {
  try {
    return JSON.parse(textOf(ctx)) as unknown;
  } catch {
    throw new Refusal(400, 'invalid_request', 'The body is not JSON.');
  }
}
