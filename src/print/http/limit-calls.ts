import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { createCallGate, type CallGate, type ReportOutage } from '../../call-gate.ts';
import { parseRetryAfter } from './parse-retry-after.ts';
import type { HttpResult } from './request.ts';

// The interface page shows no threshold ("Limits"): these keep one account from being a burden, and 429 says the rest.
/** Starts a second of one key, to begin with. A 429 halves the rate; it rises while calls wait for their turn and are answered. */
const FIRST_RATE = 50;
const LOWEST_RATE = 1;
const HIGHEST_RATE = 200;
/** Starts a second that a second of steady use adds. */
const RISE = 1;
/** Requests of one key at once: at least this many, and else what the rate comes to with answers of 160 ms. */
const LEAST_AT_ONCE = 8;
const ANSWER_SECONDS = 0.16;
/** Starts that may follow each other at once after a rest: the few calls of an order do not wait for each other. */
const BURST = 25;
/** After a pause, until the service has taken a request again. */
const RATE_AFTER_PAUSE = 10;
/** Calls that wait for their turn: at the first rate the last of them starts within a second. */
const MOST_WAITING = 48;
/** Longer than that no call waits for its turn: it would keep a job of somebody else's from running. */
const LONGEST_WAIT_MS = 2_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** Longer than the longest backoff, so that no key loses its count of refusals while it still matters. */
const FORGOTTEN_AFTER_MS = 600_000;
const SWEEP_MS = 60_000;

/** What is known of one key. Moments are values of performance.now(), which no change of the clock moves. */
interface KeyLimit {
  queue: PQueue;
  gate: CallGate;
  /** Starts a second. */
  rate: number;
  /** When the next start would be due at the steady rate; `BURST` of them may come earlier. */
  nextDue: number;
  pausedAt: number;
  pausedUntil: number;
  /** Pauses since the service last took a request. */
  pauses: number;
  lastUsed: number;
}

/** The limits of all keys of a client. */
export interface CallLimits {
  /**
   * Sends a request of this key when it is its turn; `waitUntil` (performance.now()) ends the waiting. `lane`: those of one lane who are
   * turned away from a service that is out come back one after another. Never throws when `send` does not.
   */
  run(key: string, waitUntil: number, send: () => Promise<HttpResult>, lane?: string): Promise<HttpResult>;
  /** Seconds after which a call of the lane may come again while the service is out for this key; null: a call may be made now. */
  turnAway(key: string, lane: string): number | null;
  /** Whether the service is out for this key. */
  isOut(key: string): boolean;
  /** How often the service was found to be out, for all keys together. */
  outages(): number;
  /** How many keys are remembered. */
  size(): number;
}

/**
 * Limits what one key sends: so many requests at once and a second, and a pause after a 429, or a 503 that names one (interface page,
 * Errors: exponential backoff is recommended; here with full jitter from 1 s up to 5 minutes, and never shorter than Retry-After).
 * No threshold is published, so the rate of each key is found out: see `FIRST_RATE`. Each process finds out its own, since a 429
 * reaches all that share a key.
 * While a key is paused, and when too many of its calls wait, a call fails at once with the code `PAUSED` or `BUSY`, unwritten, and with
 * the seconds to wait. So it does with the code `OPEN` while the service is out for that key, or slow: see `CallGate`. No key waits for
 * another one. A key that rests for ten minutes is forgotten.
 */
export function createCallLimits(probeMs?: number, report?: ReportOutage): CallLimits {
  const limits = new Map<string, KeyLimit>();
  let sweptAt = performance.now();
  let outagesBefore = 0;

  function limitOf(key: string): KeyLimit {
    const now = performance.now();
    if (now - sweptAt > SWEEP_MS) {
      sweptAt = now;
      for (const [other, limit] of limits) {
        if (!isForgotten(limit, now)) continue;
        outagesBefore += limit.gate.opens();
        limits.delete(other);
      }
    }
    const limit = limits.get(key) ?? createLimit(probeMs, report);
    limits.set(key, limit);
    limit.lastUsed = now;
    return limit;
  }

  return {
    run: (key, waitUntil, send, lane = '') =>
      runLimited(limitOf(key), lane, Math.min(waitUntil, performance.now() + LONGEST_WAIT_MS), send),
    turnAway: (key, lane) => limits.get(key)?.gate.turnAway(lane) ?? null,
    isOut: (key) => limits.get(key)?.gate.isOut() ?? false,
    outages: () => [...limits.values()].reduce((sum, { gate }) => sum + gate.opens(), outagesBefore),
    size: () => limits.size,
  };
}

function createLimit(probeMs: number | undefined, report: ReportOutage | undefined): KeyLimit {
  const queue = new PQueue({ concurrency: toAtOnce(FIRST_RATE) });
  const gate = createCallGate(probeMs, report);
  const moments = { nextDue: -Infinity, pausedAt: -Infinity, pausedUntil: -Infinity, lastUsed: 0 };
  return { queue, gate, rate: FIRST_RATE, pauses: 0, ...moments };
}

function isForgotten({ queue, pausedUntil, lastUsed }: KeyLimit, now: number): boolean {
  return queue.size === 0 && queue.pending === 0 && now - Math.max(pausedUntil, lastUsed) > FORGOTTEN_AFTER_MS;
}

async function runLimited(
  limit: KeyLimit,
  lane: string,
  waitUntil: number,
  send: () => Promise<HttpResult>,
): Promise<HttpResult> {
  const { queue } = limit;
  if (isPaused(limit)) return toPaused(limit);
  const openSeconds = limit.gate.turnAway(lane);
  if (openSeconds !== null) return toOpen(openSeconds);
  if (queue.size >= MOST_WAITING) return toBusy(limit);
  const leave = new AbortController();
  const timer = setTimeout(() => leave.abort(), Math.max(0, waitUntil - performance.now()));
  const start = () => {
    // From here on the request has a timeout of its own, and what came of it must not be lost.
    clearTimeout(timer);
    return sendInTurn(limit, lane, waitUntil, send);
  };
  try {
    return await queue.add(start, { signal: leave.signal });
  } catch (error) {
    if (leave.signal.aborted) return toBusy(limit);
    throw error;
  }
}

async function sendInTurn(
  limit: KeyLimit,
  lane: string,
  waitUntil: number,
  send: () => Promise<HttpResult>,
): Promise<HttpResult> {
  if (isPaused(limit)) return toPaused(limit);
  const waitMs = takeTurn(limit, waitUntil);
  if (waitMs === null) return toBusy(limit);
  if (waitMs > 0) {
    await sleep(waitMs);
    if (isPaused(limit)) return toPaused(limit);
  }
  const endCall = limit.gate.enter(lane);
  if (typeof endCall === 'number') return toOpen(endCall);
  const startedAt = performance.now();
  const isAwaited = limit.queue.size > 0 || limit.nextDue - toBurstMs(limit) > startedAt;
  let outcome: Parameters<typeof endCall>[0] = 'unknown';
  try {
    const result = await send();
    outcome = toGateOutcome(result);
    return learn(limit, { startedAt, isAwaited }, result);
  } finally {
    endCall(outcome);
  }
}

/** A request that was kept back by its own deadline says nothing of the service. */
function toGateOutcome(result: HttpResult): 'answered' | 'failed' | 'unknown' {
  if (result.status !== null) return result.status >= 500 ? 'failed' : 'answered';
  return result.code === 'SEND_DEADLINE' ? 'unknown' : 'failed';
}

/** Milliseconds until the next request may start; null when that is later than `waitUntil`, and then no turn is taken. */
function takeTurn(limit: KeyLimit, waitUntil: number): number | null {
  const now = performance.now();
  const startAt = Math.max(now, limit.nextDue - toBurstMs(limit));
  if (startAt > now && startAt > waitUntil) return null;
  const rate = limit.pauses > 0 ? Math.min(limit.rate, RATE_AFTER_PAUSE) : limit.rate;
  limit.nextDue = Math.max(limit.nextDue, now) + 1000 / rate;
  return startAt - now;
}

/** How far ahead of the steady rate starts may be. */
function toBurstMs({ rate }: KeyLimit): number {
  return (BURST - 1) * (1000 / rate);
}

function toAtOnce(rate: number): number {
  return Math.max(LEAST_AT_ONCE, Math.floor(rate * ANSWER_SECONDS));
}

/** As many starts are ahead of the steady rate as before. */
function setRate(limit: KeyLimit, rate: number): void {
  const now = performance.now();
  const before = limit.rate;
  limit.rate = Math.min(HIGHEST_RATE, Math.max(LOWEST_RATE, rate));
  limit.nextDue = now + ((limit.nextDue - now) * before) / limit.rate;
  limit.queue.concurrency = toAtOnce(limit.rate);
}

/**
 * Takes from an answer what it says of the limits; one that asks to wait comes back with the seconds to wait. `isAwaited`: others waited
 * for their turn when the request started, so that its answer says that the rate is bearable.
 */
function learn(
  limit: KeyLimit,
  { startedAt, isAwaited }: { startedAt: number; isAwaited: boolean },
  result: HttpResult,
): HttpResult {
  if (result.status === null) return result;
  const askedSeconds = parseRetryAfter(result.retryAfter, new Date());
  // Requests that were under way when a pause began tell of the same excess.
  const isNews = startedAt >= limit.pausedAt;
  if (result.status === 429 || (result.status === 503 && askedSeconds !== null)) {
    // Once for each excess: until a request is taken again, further refusals make the pause longer.
    if (isNews && result.status === 429 && limit.pauses === 0) setRate(limit, limit.rate / 2);
    pause(limit, isNews, askedSeconds ?? 0);
    return { ...result, waitSeconds: Math.max(askedSeconds ?? 0, secondsLeft(limit)) };
  }
  if (isNews && result.status < 500 && limit.pauses > 0) {
    limit.pauses = 0;
    limit.nextDue = performance.now() + toBurstMs(limit);
  } else if (isNews && isAwaited && result.status < 500) setRate(limit, limit.rate + RISE / limit.rate);
  return result;
}

function pause(limit: KeyLimit, isNews: boolean, askedSeconds: number): void {
  const now = performance.now();
  let backoffMs = 0;
  if (isNews) {
    backoffMs = Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** limit.pauses);
    limit.pauses += 1;
    limit.pausedAt = now;
  }
  limit.pausedUntil = Math.max(limit.pausedUntil, now + Math.max(backoffMs, askedSeconds * 1000));
  // The burst is used up: what comes after the pause comes one by one.
  limit.nextDue = limit.pausedUntil + toBurstMs(limit);
}

function isPaused({ pausedUntil }: KeyLimit): boolean {
  return performance.now() < pausedUntil;
}

/** The rest of the pause, in seconds, to the millisecond. */
function secondsLeft({ pausedUntil }: KeyLimit): number {
  return Math.max(0, Math.round(pausedUntil - performance.now()) / 1000);
}

function toPaused(limit: KeyLimit): HttpResult {
  return { status: null, code: 'PAUSED', written: false, waitSeconds: secondsLeft(limit) };
}

function toOpen(waitSeconds: number): HttpResult {
  return { status: null, code: 'OPEN', written: false, waitSeconds };
}

/** Those who are turned away do not come back together. */
function toBusy({ queue, rate }: KeyLimit): HttpResult {
  const waitSeconds = (1 + Math.random()) * (1 + queue.size / rate);
  return { status: null, code: 'BUSY', written: false, waitSeconds };
}
