import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { App } from '../app.ts';
import { DoorError } from './error-response.ts';

/** What the doors of one app count. Labels have few values: never an id, a shop or a path. */
export interface Metrics {
  registry: Registry;
  deliveries: Counter<'source' | 'topic' | 'result'>;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A registry of its own for each app; `spoolBytes` is asked at each scrape. */
export function createMetrics(spoolBytes: () => Promise<number>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Known to the registry alone, which asks it at each scrape.
  void new Gauge({
    name: 'platen_spool_bytes',
    help: 'Bytes of print service events that wait on disk for the database.',
    registers,
    async collect() {
      this.set(await spoolBytes());
    },
  });
  return {
    registry,
    deliveries: new Counter({
      name: 'platen_deliveries_total',
      help: 'Webhook deliveries by source, topic and what became of them.',
      labelNames: ['source', 'topic', 'result'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'platen_http_request_seconds',
      help: 'Time to answer a request, by route template.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers,
    }),
  };
}

/** `GET /metrics` in the Prometheus text format; with METRICS_TOKEN set, for its bearer alone. */
export function showMetrics(app: App, metrics: Metrics): Middleware {
  return async (ctx) => {
    const token = app.config.metricsToken;
    if (token !== null && !isSame(ctx.get('Authorization'), `Bearer ${token}`)) {
      throw new DoorError(401, 'unauthorized', 'The metrics need the bearer token of METRICS_TOKEN.');
    }
    ctx.type = metrics.registry.contentType;
    ctx.body = await metrics.registry.metrics();
  };
}

/** Hashed first: a comparison in constant time needs equal lengths. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
