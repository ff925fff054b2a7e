import PQueue from 'p-queue';
import type { Clock } from '../../clock.ts';
import { createCircuitBreaker, type CircuitBreaker, type ReportOutage } from '../../circuit-breaker.ts';
import { parseRetryAfter } from './parse-retry-after.ts';
import type { HttpResult } from './request.ts';

// The service documents no threshold (docs/rules/print-interface.md#limits). The following limits keep one account from overloading the
// service. The rate adapts to the service's 429 responses.
/**
 * The initial rate of one key, in request starts per second. A 429 response halves the rate. The rate rises while calls are waiting for
 * their turn and succeed.
 */
const INITIAL_RATE = 50;
const MIN_RATE = 1;
const MAX_RATE = 200;
/** How much the rate (starts per second) increases for each second of steady use. */
const RATE_INCREASE = 1;
/**
 * The minimum limit for concurrent requests per key. At higher rates, the limit rises to what the rate requires if each response takes 160
 * ms.
 */
const MIN_CONCURRENCY = 8;
const RESPONSE_SECONDS = 0.16;
/** The number of requests that may start at once after an idle period, so that an order's few calls do not wait for each other. */
const BURST = 25;
/** The rate after a pause, until the service accepts a request again. */
const RATE_AFTER_PAUSE = 10;
/** Maximum number of calls that may wait for their turn. At the initial rate, the last of them starts within a second. */
const MAX_WAITING = 48;
/** The longest time that a call waits for its turn. A longer wait would occupy a job slot that other jobs need. */
const MAX_WAIT_MS = 2_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 300_000;
/** How long an unused key is remembered. Longer than the longest backoff, so that no key loses its count of pauses too early. */
const EXPIRY_MS = 600_000;
const SWEEP_MS = 60_000;

/** The state of one key. Times are values of `clock.ticks()`. */
interface KeyLimit {
  clock: Clock;
  queue: PQueue;
  breaker: CircuitBreaker;
  /** The rate in starts per second. */
  rate: number;
  /** When the next start is due at the steady rate. Up to `BURST` starts may come earlier. */
  nextDue: number;
  pausedAt: number;
  pausedUntil: number;
  /** Number of pauses since the service last accepted a request. */
  pauses: number;
  lastUsed: number;
}

/** The limits for all of a client's keys. */
export interface CallLimits {
  /**
   * Sends a request with this key when its turn comes, and stops waiting at `waitUntil` (a value of `clock.ticks()`). During an outage,
   * rejected calls in the same `lane` retry one after another. Throws only if `send` throws.
   */
  run(key: string, waitUntil: number, send: () => Promise<HttpResult>, lane?: string): Promise<HttpResult>;
  /**
   * Returns null if a call in this lane may start now. While the service is down for this key, returns the seconds until the call may try
   * again, and the call takes the next turn in its lane.
   */
  requestTurn(key: string, lane: string): number | null;
  /** Whether the service is down for this key. */
  isOut(key: string): boolean;
  /** Returns how many outages have been detected so far, across all keys. */
  outages(): number;
  /** Returns the number of keys that currently have limits. */
  size(): number;
}

/**
 * Limits how many of a key's requests run concurrently and how many start per second. A 429 causes a pause, and so does a 503 with
 * Retry-After (docs/rules/print-interface.md#errors). Pauses back off exponentially with full jitter, from 1 s to 5 minutes, and are never
 * shorter than Retry-After.
 *
 * The service publishes no threshold, so each process determines each key's rate itself, starting at `INITIAL_RATE`. All processes that use
 * a key receive its 429 responses. A call fails immediately, without being sent, if its key is paused (`PAUSED`) or too many of the key's
 * calls are waiting (`BUSY`). It also fails while the service is down or slow for the key (`OPEN`, see `CircuitBreaker`). The result
 * contains the seconds to wait. Keys do not affect each other. A key is forgotten after ten minutes without use.
 */
export function createCallLimits(clock: Clock, report?: ReportOutage): CallLimits {
  const limits = new Map<string, KeyLimit>();
  let sweptAt = clock.ticks();
  let pastOutages = 0;

  function findOrCreateLimit(key: string): KeyLimit {
    const now = clock.ticks();
    if (now - sweptAt > SWEEP_MS) {
      sweptAt = now;
      for (const [other, limit] of limits) {
        if (!isExpired(limit, now)) continue;
        pastOutages += limit.breaker.opens();
        limits.delete(other);
      }
    }
    const limit = limits.get(key) ?? createLimit(clock, report);
    limits.set(key, limit);
    limit.lastUsed = now;
    return limit;
  }

  return {
    run: (key, waitUntil, send, lane = '') =>
      runLimited(findOrCreateLimit(key), lane, Math.min(waitUntil, clock.ticks() + MAX_WAIT_MS), send),
    requestTurn: (key, lane) => limits.get(key)?.breaker.requestTurn(lane) ?? null,
    isOut: (key) => limits.get(key)?.breaker.isOut() ?? false,
    outages: () => [...limits.values()].reduce((sum, { breaker }) => sum + breaker.opens(), pastOutages),
    size: () => limits.size,
  };
}

function createLimit(clock: Clock, report: ReportOutage | undefined): KeyLimit {
  const queue = new PQueue({ concurrency: toConcurrency(INITIAL_RATE) });
  const breaker = createCircuitBreaker(clock, report);
  const moments = { nextDue: -Infinity, pausedAt: -Infinity, pausedUntil: -Infinity, lastUsed: 0 };
  return { clock, queue, breaker, rate: INITIAL_RATE, pauses: 0, ...moments };
}

function isExpired({ queue, pausedUntil, lastUsed }: KeyLimit, now: number): boolean {
  return queue.size === 0 && queue.pending === 0 && now - Math.max(pausedUntil, lastUsed) > EXPIRY_MS;
}

async function runLimited(
  limit: KeyLimit,
  lane: string,
  waitUntil: number,
  send: () => Promise<HttpResult>,
): Promise<HttpResult> {
  const { queue } = limit;
  if (isPaused(limit)) return toPausedResult(limit);
  const openSeconds = limit.breaker.requestTurn(lane);
  if (openSeconds !== null) return toOpenResult(openSeconds);
  if (queue.size >= MAX_WAITING) return toBusyResult(limit);
  const leave = new AbortController();
  const cancel = limit.clock.after(Math.max(0, waitUntil - limit.clock.ticks()), () => leave.abort());
  const start = () => {
    // The wait is over. From here on, the request has its own timeout, and its result must not be lost.
    cancel();
    return sendInTurn(limit, lane, waitUntil, send);
  };
  try {
    return await queue.add(start, { signal: leave.signal });
  } catch (error) {
    if (leave.signal.aborted) return toBusyResult(limit);
    throw error;
  }
}

async function sendInTurn(
  limit: KeyLimit,
  lane: string,
  waitUntil: number,
  send: () => Promise<HttpResult>,
): Promise<HttpResult> {
  if (isPaused(limit)) return toPausedResult(limit);
  const waitMs = reserveTurn(limit, waitUntil);
  if (waitMs === null) return toBusyResult(limit);
  if (waitMs > 0) {
    await limit.clock.sleep(waitMs);
    if (isPaused(limit)) return toPausedResult(limit);
  }
  const endCall = limit.breaker.enter(lane);
  if (typeof endCall === 'number') return toOpenResult(endCall);
  const startedAt = limit.clock.ticks();
  const hasWaitingCalls = limit.queue.size > 0 || limit.nextDue - toBurstMs(limit) > startedAt;
  let outcome: Parameters<typeof endCall>[0] = 'unknown';
  try {
    const result = await send();
    outcome = toBreakerOutcome(result);
    return adjustLimit(limit, { startedAt, hasWaitingCalls }, result);
  } finally {
    endCall(outcome);
  }
}

/** A request that missed its send deadline was not sent, so it does not show whether the service responds. */
function toBreakerOutcome(result: HttpResult): 'answered' | 'failed' | 'unknown' {
  if (result.status !== null) return result.status >= 500 ? 'failed' : 'answered';
  return result.code === 'SEND_DEADLINE' ? 'unknown' : 'failed';
}

/**
 * Reserves a turn and returns the milliseconds until the request may start. Returns null without reserving a turn if that is later than
 * `waitUntil`.
 */
function reserveTurn(limit: KeyLimit, waitUntil: number): number | null {
  const now = limit.clock.ticks();
  const startAt = Math.max(now, limit.nextDue - toBurstMs(limit));
  if (startAt > now && startAt > waitUntil) return null;
  const rate = limit.pauses > 0 ? Math.min(limit.rate, RATE_AFTER_PAUSE) : limit.rate;
  limit.nextDue = Math.max(limit.nextDue, now) + 1000 / rate;
  return startAt - now;
}

/** Returns by how many milliseconds requests may start earlier than at the steady rate. */
function toBurstMs({ rate }: KeyLimit): number {
  return (BURST - 1) * (1000 / rate);
}

function toConcurrency(rate: number): number {
  return Math.max(MIN_CONCURRENCY, Math.floor(rate * RESPONSE_SECONDS));
}

/** Changes the rate. The number of early starts relative to the steady rate does not change. */
function setRate(limit: KeyLimit, rate: number): void {
  const now = limit.clock.ticks();
  const before = limit.rate;
  limit.rate = Math.min(MAX_RATE, Math.max(MIN_RATE, rate));
  limit.nextDue = now + ((limit.nextDue - now) * before) / limit.rate;
  limit.queue.concurrency = toConcurrency(limit.rate);
}

/**
 * Adjusts the limits to a response. If the service requires a pause, adds the seconds to wait to the result. `hasWaitingCalls` means that
 * other calls were waiting when the request started, so its success shows that the rate is acceptable.
 */
function adjustLimit(
  limit: KeyLimit,
  { startedAt, hasWaitingCalls }: { startedAt: number; hasWaitingCalls: boolean },
  result: HttpResult,
): HttpResult {
  if (result.status === null) return result;
  const retryAfterSeconds = parseRetryAfter(result.retryAfter, limit.clock.now());
  // The response to a request from before the current pause only confirms the overload that caused the pause. It changes neither the rate
  // nor the count of pauses.
  const isCurrent = startedAt >= limit.pausedAt;
  if (result.status === 429 || (result.status === 503 && retryAfterSeconds !== null)) {
    // The rate is halved once per overload. Until the service accepts a request again, further 429 responses only extend the pause.
    if (isCurrent && result.status === 429 && limit.pauses === 0) setRate(limit, limit.rate / 2);
    pauseLimit(limit, isCurrent, retryAfterSeconds ?? 0);
    return { ...result, waitSeconds: Math.max(retryAfterSeconds ?? 0, toRemainingSeconds(limit)) };
  }
  if (isCurrent && result.status < 500 && limit.pauses > 0) {
    limit.pauses = 0;
    limit.nextDue = limit.clock.ticks() + toBurstMs(limit);
  } else if (isCurrent && hasWaitingCalls && result.status < 500)
    setRate(limit, limit.rate + RATE_INCREASE / limit.rate);
  return result;
}

function pauseLimit(limit: KeyLimit, isCurrent: boolean, retryAfterSeconds: number): void {
  const now = limit.clock.ticks();
  let backoffMs = 0;
  if (isCurrent) {
    backoffMs = Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** limit.pauses);
    limit.pauses += 1;
    limit.pausedAt = now;
  }
  limit.pausedUntil = Math.max(limit.pausedUntil, now + Math.max(backoffMs, retryAfterSeconds * 1000));
  // Uses up the burst, so that calls after the pause start one by one.
  limit.nextDue = limit.pausedUntil + toBurstMs(limit);
}

function isPaused({ clock, pausedUntil }: KeyLimit): boolean {
  return clock.ticks() < pausedUntil;
}

/** Returns the remaining time of the pause in seconds. It is rounded up, because a call that returns too early is rejected again. */
function toRemainingSeconds({ clock, pausedUntil }: KeyLimit): number {
  return Math.max(0, Math.ceil(pausedUntil - clock.ticks()) / 1000);
}

function toPausedResult(limit: KeyLimit): HttpResult {
  return { status: null, code: 'PAUSED', written: false, waitSeconds: toRemainingSeconds(limit) };
}

function toOpenResult(waitSeconds: number): HttpResult {
  return { status: null, code: 'OPEN', written: false, waitSeconds };
}

/** The wait is random, so that rejected calls do not all return at once. */
function toBusyResult({ queue, rate }: KeyLimit): HttpResult {
  const waitSeconds = (1 + Math.random()) * (1 + queue.size / rate);
  return { status: null, code: 'BUSY', written: false, waitSeconds };
}
