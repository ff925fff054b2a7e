import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import pg from 'pg';

// Loaded first in the processes that a benchmark measures: it counts what they do and tells their parent when it asks.

/** What a process has done since it started. */
export interface Work {
  cpuMs: number;
  rssMb: number;
  /** Statements sent to PostgreSQL, and how often each text was sent. */
  statements: number;
  texts: Record<string, number>;
  /** Jobs fetched from the queue. */
  jobs: number;
  /** Requests received, without those at control doors. */
  requests: number;
}

const TEXTS_AT_MOST = 5_000;
/** The statement of `src/jobs/take-jobs.ts`. */
const TAKE = 'take_jobs';
const texts = new Map<string, number>();
let statements = 0;
let jobs = 0;
let requests = 0;

type Query = (this: pg.Client, ...parameters: unknown[]) => unknown;
const prototype = pg.Client.prototype as unknown as { query: Query };
const query = prototype.query;
prototype.query = function (...parameters) {
  const [first] = parameters;
  const text = typeof first === 'string' ? first : String((first as { text?: string } | null)?.text);
  statements += 1;
  if (texts.has(text) || texts.size < TEXTS_AT_MOST) texts.set(text, (texts.get(text) ?? 0) + 1);
  const done = parameters.at(-1);
  // The queue takes its jobs through the pool, which passes a callback.
  if ((first as { name?: string } | null)?.name === TAKE && typeof done === 'function')
    parameters[parameters.length - 1] = (error: unknown, result?: pg.QueryResult<{ jobs: unknown[] | null }>) => {
      jobs += result?.rows[0]?.jobs?.length ?? 0;
      (done as (error: unknown, result: unknown) => void)(error, result);
    };
  return query.apply(this, parameters);
};

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  if (request.url?.startsWith('/_control') !== true) requests += 1;
});

process.on('message', (message) => {
  if (message !== 'work') return;
  const { user, system } = process.cpuUsage();
  const rssMb = process.memoryUsage.rss() / 1024 / 1024;
  const work = { cpuMs: (user + system) / 1000, rssMb, statements, texts: Object.fromEntries(texts), jobs, requests };
  process.send?.(work satisfies Work);
});
// Listening must not keep the process alive.
process.channel?.unref();
