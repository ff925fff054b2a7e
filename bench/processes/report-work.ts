import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { watchStatements } from '../../test/helpers/watch-statements.ts';

// Measured processes load this module first. The module counts the process's work and reports it to the parent on request.

/** The work of a process since it started. */
export interface Work {
  cpuMs: number;
  rssMb: number;
  /** Statements sent to PostgreSQL, and how often each text was sent. */
  statements: number;
  texts: Record<string, number>;
  /** Jobs fetched from the queue. */
  jobs: number;
  /** Requests received, except those to control endpoints. */
  requests: number;
}

const MAX_TEXTS = 5_000;
const texts = new Map<string, number>();
let statements = 0;
let jobs = 0;
let requests = 0;

watchStatements(({ text, jobs: taken }) => {
  statements += 1;
  jobs += taken ?? 0;
  if (texts.has(text) || texts.size < MAX_TEXTS) texts.set(text, (texts.get(text) ?? 0) + 1);
});

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
// The channel to the parent process must not keep this process alive.
process.channel?.unref();
