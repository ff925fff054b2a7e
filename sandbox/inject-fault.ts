import { once } from 'node:events';
import type { Context } from 'koa';
import type { Fault } from './fault.ts';

/**
 * Responds to a request as its fault specifies. If the fault's effect is `done`, the handler has already put its own response into `ctx`,
 * and the fault loses or truncates this response.
 */
export async function injectFault(ctx: Context, fault: Fault, errorBody: unknown): Promise<void> {
  switch (fault.kind) {
    case 'status':
      ctx.status = fault.status;
      if (fault.retryAfter !== undefined) ctx.set('Retry-After', String(fault.retryAfter));
      ctx.body = errorBody;
      return;
    case 'reset':
      ctx.respond = false;
      ctx.req.socket.resetAndDestroy();
      return;
    case 'timeout':
      ctx.respond = false;
      if (!ctx.res.destroyed) await once(ctx.res, 'close');
      return;
    case 'truncate':
      sendHalf(ctx, fault.effect === 'done');
  }
}

/** Sends the status line and headers of a complete response with half of its body, and then closes the connection. */
function sendHalf(ctx: Context, answered: boolean): void {
  const body: unknown = answered ? ctx.body : { accepted: true };
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  const status = answered ? ctx.status : 200;
  ctx.respond = false;
  ctx.res.writeHead(status === 204 ? 200 : status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  ctx.res.write(bytes.subarray(0, bytes.length / 2), () => ctx.req.socket.destroySoon());
}
