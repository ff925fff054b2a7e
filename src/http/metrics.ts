import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { App } from '../app.ts';
import { DoorError } from './error-response.ts';
import { inTime } from './in-time.ts';

/** What the doors of one app count. Labels have few values: never an id, a shop or a path. */
export interface Metrics {
  registry: Registry;
  deliveries: Counter<'source' | 'topic' | 'result'>;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  rates: Counter<'source'>;
  rateSeconds: Histogram;
}

const READ_MS = 2_000;
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is asked at each scrape. */
interface Readings {
  spoolBytes: () => Promise<number>;
  latePrivacyRequests: () => Promise<number>;
  paymentsRefused: () => Promise<number>;
  failedJobs: () => Promise<number>;
  outages: () => Record<'print' | 'store', number>;
}

/** A registry of its own for each app. */
export function createMetrics(readings: Readings): Metrics {
  const { spoolBytes, latePrivacyRequests, paymentsRefused } = readings;
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
  void new Gauge({
    name: 'platen_privacy_requests_late',
    help: 'Requests of customers that have been open for 20 days or more; each is due within 30.',
    registers,
    async collect() {
      this.set(await orUnknown(latePrivacyRequests()));
    },
  });
  void new Gauge({
    name: 'platen_print_accounts_payment_refused',
    help: 'Print accounts whose payments the print service refuses: their orders wait.',
    registers,
    async collect() {
      this.set(await orUnknown(paymentsRefused()));
    },
  });
  addWorkMetrics(registry, readings);
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
    rates: new Counter({
      name: 'platen_rates_total',
      help: 'Answers to checkouts that asked for shipping rates, by where the rates came from.',
      labelNames: ['source'],
      registers,
    }),
    rateSeconds: new Histogram({
      name: 'platen_rates_seconds',
      help: 'Time to answer a checkout that asked for shipping rates.',
      buckets: BUCKETS,
      registers,
    }),
  };
}

/** While the database is away, or does not answer, the other metrics are told all the same. */
function orUnknown(reading: Promise<number>): Promise<number> {
  return inTime(reading, READ_MS).catch(() => Number.NaN);
}

function addWorkMetrics(registry: Registry, { failedJobs, outages }: Readings): void {
  const registers = [registry];
  void new Gauge({
    name: 'platen_jobs_failed',
    help: 'Jobs that failed for the last time, or were set aside since their process died in them again and again.',
    registers,
    async collect() {
      this.set(await orUnknown(failedJobs()));
    },
  });
  void new Counter({
    name: 'platen_outages_total',
    help: 'How often calls were stopped since an account of the print service, or the Admin API of a shop, did not answer.',
    labelNames: ['api'],
    registers,
    collect() {
      this.reset();
      for (const [api, count] of Object.entries(outages())) this.inc({ api }, count);
    },
  });
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
