import { createHash } from 'node:crypto';
import { levelOf } from '../log.ts';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { DataSource } from 'typeorm';
import type { App } from '../app.ts';
import { PrintServiceError } from '../print/errors.ts';
import type { PortQuote, PortQuoteRequest } from '../print/port.ts';
import { isEachItemQuotedOnce } from '../print/is-each-item-quoted-once.ts';
import { openPrintPort } from '../shops/print-account/print-account.ts';
import type { Settings } from '../shops/settings/settings.ts';
import { isUndeliverable } from './is-undeliverable.ts';
import { toQuotedMethods, type QuotedMethods } from './offer-rates.ts';
import { withinTime, type Clock } from '../clock.ts';

/** How long a checkout waits for a quote. Shopify itself waits 3 to 10 s, and the fallback table is available immediately. */
const BUDGET_MS = 2_500;
/** How long a quote is cached: less than the 15 minutes for which Shopify caches a response. */
const CACHED_MS = 10 * 60_000;
/** How long a failed quote is cached, so that the service is not called again immediately. */
const FAILURE_CACHED_MS = 20_000;
const MAX_CACHED = 5_000;
/**
 * Maximum number of concurrent quotes for checkouts per account. At its initial rate, the client makes up to eight concurrent calls per
 * account, so at least half of them remain for orders.
 */
const CONCURRENT_PER_ACCOUNT = 4;
/**
 * Maximum number of an account's carts that wait for a call. Further checkouts get the fallback table immediately. Other accounts are not
 * affected.
 */
const MAX_WAITING = 20;
/** Maximum number of quotes in progress in a process, for all accounts together. */
const MAX_IN_PROGRESS = 200;

type QuoteResult = QuotedMethods | 'undeliverable' | 'failed';

interface QuoteQueue {
  kept: LRUCache<string, QuoteResult>;
  underWay: Map<string, Promise<QuoteResult>>;
  accounts: Map<number, PQueue>;
}

/** This process's cached and running quotes, keyed by the app's database. */
const quoteQueues = new WeakMap<DataSource, QuoteQueue>();

export interface CartQuote {
  source: 'cache' | 'quote';
  quotes: QuotedMethods | 'undeliverable';
}

/**
 * Returns the print service's offers for a cart, from the cache or from a new request. Identical carts share one request. Returns null if
 * no offers arrive by `until`, a value of app.clock.ticks(). A response that arrives later is cached for the next checkout. Never throws
 * the print service's errors.
 */
export async function quoteCart(
  app: App,
  accountId: number,
  request: PortQuoteRequest,
  { settings, until }: { settings: Settings; until: number },
): Promise<CartQuote | null> {
  const quoting = quoteQueueOf(app);
  const { printInterface, legacyHost, extendedCalls } = settings;
  const key = createHash('sha256')
    .update(JSON.stringify([accountId, printInterface, legacyHost, request]))
    .digest('hex');
  const kept = quoting.kept.get(key);
  if (kept !== undefined) return kept === 'failed' ? null : { source: 'cache', quotes: kept };
  let asked = quoting.underWay.get(key);
  if (!asked) {
    const isQueueFull = (quoting.accounts.get(accountId)?.size ?? 0) >= MAX_WAITING;
    if (isQueueFull || quoting.underWay.size >= MAX_IN_PROGRESS) return null;
    const openPort = async () =>
      (await openPrintPort(app, accountId, { printInterface, legacyHost, extendedCalls })).port;
    asked = quoteInTurn(app.clock, quoting, accountId, async () => (await openPort()).quote(request))
      .then((quotes) => toQuoteResult(app, accountId, request, quotes))
      .catch((error: unknown) => toFailedResult(app, accountId, error))
      .then((quoted) => cacheQuote(quoting, key, quoted))
      .finally(() => quoting.underWay.delete(key));
    quoting.underWay.set(key, asked);
  }
  const quoted = await withinTime(app.clock, {
    work: asked,
    milliseconds: Math.min(BUDGET_MS, until - app.clock.ticks()),
    late: () => 'failed' as const,
  });
  return quoted === 'failed' ? null : { source: 'quote', quotes: quoted };
}

function quoteQueueOf(app: App): QuoteQueue {
  const known = quoteQueues.get(app.db);
  if (known) return known;
  const quoting: QuoteQueue = {
    kept: new LRUCache({ max: MAX_CACHED, ttl: CACHED_MS, perf: { now: app.clock.ticks } }),
    underWay: new Map(),
    accounts: new Map(),
  };
  quoteQueues.set(app.db, quoting);
  return quoting;
}

/**
 * Requests a quote as soon as the account has fewer than the maximum number of concurrent quotes. Waits for this only as long as a checkout
 * waits for the quote.
 */
async function quoteInTurn(
  clock: Clock,
  quoting: QuoteQueue,
  accountId: number,
  quote: () => Promise<PortQuote[]>,
): Promise<PortQuote[]> {
  const queue = quoting.accounts.get(accountId) ?? new PQueue({ concurrency: CONCURRENT_PER_ACCOUNT });
  quoting.accounts.set(accountId, queue);
  const leave = new AbortController();
  const cancel = clock.after(BUDGET_MS, () => leave.abort(new Error('no request slot was free in time')));
  const start = (): Promise<PortQuote[]> => {
    cancel();
    return quote();
  };
  try {
    return await queue.add(start, { signal: leave.signal });
  } finally {
    cancel();
    if (queue.size === 0 && queue.pending === 0) quoting.accounts.delete(accountId);
  }
}

/** Returns a quote's methods, or `failed` if its order would be held (orders/quote/find-quote-fault.ts). */
function toQuoteResult(app: App, accountId: number, request: PortQuoteRequest, quotes: PortQuote[]): QuoteResult {
  const isWhole = isEachItemQuotedOnce(quotes, request.products);
  if (isWhole && (request.allowMultipleQuotes || quotes.length === 1)) return toQuotedMethods(quotes);
  app.log.warn(
    { accountId, quotes: quotes.length, isWhole },
    "a cart's quote was rejected, because its order would be held",
  );
  return 'failed';
}

function toFailedResult(app: App, accountId: number, error: unknown): QuoteResult {
  if (error instanceof PrintServiceError && isUndeliverable(error)) return 'undeliverable';
  app.log[levelOf(error)]({ accountId, error }, 'a cart could not be quoted');
  return 'failed';
}

function cacheQuote(quoting: QuoteQueue, key: string, quoted: QuoteResult): QuoteResult {
  quoting.kept.set(key, quoted, { ttl: quoted === 'failed' ? FAILURE_CACHED_MS : CACHED_MS });
  return quoted;
}
