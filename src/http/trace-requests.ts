import type { Middleware } from 'koa';
import type { Trace } from '../tracing/work.ts';

/**
 * Measures each request. A request is exported only if it was about one order. Like the log, the span contains the route template but
 * never the path, which may contain the secret token of an address.
 */
export function traceRequests(trace: Trace): Middleware {
  return (ctx, next) =>
    trace({ name: ctx.method, kind: 'request', attributes: { 'http.request.method': ctx.method } }, async (span) => {
      await next();
      if (span === null) return;
      const route = typeof ctx['_matchedRoute'] === 'string' ? ctx['_matchedRoute'] : 'none';
      span.name = `${ctx.method} ${route}`;
      span.attributes['http.route'] = route;
      span.attributes['http.response.status_code'] = ctx.status;
      if (ctx.status >= 500) span.error = String(ctx.status);
    });
}
