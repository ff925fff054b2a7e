import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { App } from '../app.ts';
import type { Metrics } from './ops/metrics.ts';
import { createFailureLogger } from './log-failures.ts';

/**
 * Assigns each request an ID (header X-Request-Id), measures its duration and writes one log line after the response. The line contains
 * the route template but never the path, which may contain the secret token of an address.
 */
export function logRequests({ clock, log }: Pick<App, 'clock' | 'log'>, metrics: Metrics): Middleware {
  const logFailure = createFailureLogger({ clock, log });
  // These lines have fixed fields, so they need no redaction.
  const lines = log.child({}, { redact: [] });
  return async (ctx, next) => {
    const startedAt = clock.ticks();
    const requestId = randomUUID();
    ctx.state['requestId'] = requestId;
    ctx.state['logFailure'] = (error: unknown) => logFailure(log.child({ requestId }), error);
    ctx.set('X-Request-Id', requestId);
    await next();
    const milliseconds = clock.ticks() - startedAt;
    const { method, status } = ctx;
    const route = typeof ctx['_matchedRoute'] === 'string' ? ctx['_matchedRoute'] : 'none';
    metrics.requestSeconds.observe({ method, route, status }, milliseconds / 1000);
    const isProbe = status === 200 && ['/healthz', '/readyz', '/metrics'].includes(route);
    lines[isProbe ? 'debug' : 'info']({ requestId, method, route, status, ms: Math.round(milliseconds) }, 'request');
  };
}
