import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { IsNull, Not } from 'typeorm';
import { countFailingChannels } from '../../alerts/read-alerts.ts';
import type { App } from '../../app.ts';
import type { Spool } from '../../inbox/spool.ts';
import { countFailedJobs } from '../../jobs/count-failed-jobs.ts';
import { Shops } from '../../database/entities/shops.ts';
import { countFullDisks } from '../../database/error-code.ts';
import { countLostLines } from '../../log.ts';
import { countLatePrivacyRequests } from '../../orders/privacy/count-late-requests.ts';
import { readPollPasses } from '../../polls/read-poll-passes.ts';
import { readVersion } from '../../read-version.ts';
import { countPaymentsRefused } from '../../shops/print-account/print-account.ts';
import { EndpointError } from '../error-response.ts';
import { withTimeLimit } from '../with-time-limit.ts';
import { addPollMetrics } from './poll-metrics.ts';
import { addWorkMetrics } from './work-metrics.ts';

/** The metrics that one app's endpoints count. Labels have few possible values and never contain an ID, a shop or a path. */
export interface Metrics {
  registry: Registry;
  deliveries: Counter<'source' | 'topic' | 'result'>;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  rates: Counter<'source'>;
  rateSeconds: Histogram;
}

/** Shorter than Prometheus's scrape timeout. */
const READ_MS = 2_000;
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The measures of a process's spool. */
type SpoolSizes = Pick<Spool, 'bytes' | 'freeBytes'>;

/** Creates the metrics of one app, with a separate registry. Without `spool`, the process has no spool and no metrics for the spool. */
export function createMetrics(app: App, spool?: SpoolSizes): Metrics {
  const registry = new Registry();
  const registers = [registry];
  addProcessMetrics(registry, app, spool);
  addAlarmMetrics(registry, app);
  addWorkMetrics(registry, app);
  addPollMetrics(registry, () => withTimeLimit(app.clock, readPollPasses(app), READ_MS));
  const deliveries = new Counter({
    name: 'platen_deliveries_total',
    help: 'Webhook deliveries by source, topic and result.',
    labelNames: ['source', 'topic', 'result'],
    registers,
  });
  // An alert watches this count. It starts at 0, because Prometheus does not see an increase in a series that starts at 1.
  if (spool) deliveries.inc({ source: 'print', topic: 'any', result: 'set_aside' }, 0);
  return {
    registry,
    deliveries,
    requestSeconds: new Histogram({
      name: 'platen_http_request_seconds',
      help: 'Seconds to respond to a request, by method, route template and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers,
    }),
    rates: new Counter({
      name: 'platen_rates_total',
      help: 'Shipping rate requests from checkouts, by source of the rates.',
      labelNames: ['source'],
      registers,
    }),
    rateSeconds: new Histogram({
      name: 'platen_rates_seconds',
      help: 'Seconds to respond to a shipping rate request from a checkout.',
      buckets: BUCKETS,
      registers,
    }),
  };
}

/** Adds metrics that only this process can measure. The registry stores them and collects their values at each scrape. */
function addProcessMetrics(registry: Registry, app: App, spool: SpoolSizes | undefined): void {
  const registers = [registry];
  const info = new Gauge({
    name: 'platen_info',
    help: 'The version and role of this process.',
    labelNames: ['version', 'role'],
    registers,
  });
  info.set({ version: readVersion(), role: app.config.role }, 1);
  void new Counter({
    name: 'platen_outages_total',
    help: "Number of times that requests were stopped because a print account or a shop's Admin API did not respond.",
    labelNames: ['api'],
    registers,
    collect() {
      this.reset();
      this.inc({ api: 'print' }, app.print.outages());
      this.inc({ api: 'store' }, app.shopify.outages());
    },
  });
  void new Counter({
    name: 'platen_log_lines_lost_total',
    help: 'Log lines that this process could not write, for example because the disk of the log was full.',
    registers,
    collect() {
      this.reset();
      this.inc(countLostLines());
    },
  });
  void new Counter({
    name: 'platen_database_disk_full_total',
    help: "Statements of this process that failed because PostgreSQL's disk was full.",
    registers,
    collect() {
      this.reset();
      this.inc(countFullDisks());
    },
  });
  if (!spool) return;
  const sizes: [name: string, help: string, read: () => Promise<number>][] = [
    [
      'platen_spool_bytes',
      'Bytes of print service events stored on disk because the database was unavailable.',
      () => spool.bytes(),
    ],
    [
      'platen_spool_free_bytes',
      'Free bytes on the disk of PLATEN_HOME, or 0 if this process cannot write there.',
      () => spool.freeBytes(),
    ],
  ];
  for (const [name, help, read] of sizes) addGauge(app, registry, { name, help, read });
}

/** Adds a gauge that is NaN while it cannot be read, so that the other metrics still work. */
function addGauge(
  { clock }: App,
  registry: Registry,
  { name, help, read }: { name: string; help: string; read: () => Promise<number> },
): void {
  void new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await withTimeLimit(clock, read(), READ_MS).catch(() => Number.NaN));
    },
  });
}

/** Adds counts from the database that should be 0. During a database outage these counts are NaN, and the other metrics still work. */
function addAlarmMetrics(registry: Registry, app: App): void {
  const alarms: [name: string, help: string, count: () => Promise<number>][] = [
    [
      'platen_privacy_requests_late',
      "Customers' privacy requests that have been open for 20 days or more. Each is due within 30 days.",
      () => countLatePrivacyRequests(app),
    ],
    [
      'platen_shops_fenced_off',
      'Shops that another database of this Platen has taken over. This database sends nothing for them.',
      () => app.db.manager.countBy(Shops, { fencedOffAt: Not(IsNull()) }),
    ],
    [
      'platen_print_accounts_payment_refused',
      'Print accounts whose payments the print service refuses. Their orders are waiting.',
      () => countPaymentsRefused(app),
    ],
    [
      'platen_jobs_failed',
      'Jobs that have used up their retries, or were set aside because they repeatedly crashed their process.',
      () => countFailedJobs(app.db),
    ],
    [
      'platen_alert_channels_failing',
      'Email and chat channels of shops whose last message could not be sent. If many fail, check the mail server (SMTP_URL).',
      () => countFailingChannels(app),
    ],
  ];
  for (const [name, help, count] of alarms) addGauge(app, registry, { name, help, read: count });
}

/**
 * `GET /metrics` in the Prometheus text format, for callers that send METRICS_TOKEN. If no token is set, the endpoint is available only
 * in the sandbox, because an IP address cannot distinguish a scraper from a visitor behind a proxy.
 */
export function showMetrics({ config }: App, metrics: Metrics): Middleware {
  return async (ctx) => {
    const { metricsToken: token, sandbox } = config;
    if (token === null && !sandbox.runsStore)
      throw new EndpointError(
        403,
        'metrics_closed',
        'The metrics are not available: set METRICS_TOKEN to enable them.',
      );
    if (token !== null && !isEqual(ctx.get('Authorization'), `Bearer ${token}`))
      throw new EndpointError(401, 'unauthorized', 'To read the metrics, send METRICS_TOKEN as the bearer token.');
    ctx.type = metrics.registry.contentType;
    ctx.body = await metrics.registry.metrics();
  };
}

/** Hashes both values first, because a constant-time comparison requires equal lengths. */
function isEqual(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
