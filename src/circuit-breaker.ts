import type { Clock } from './clock.ts';

/** The circuit breaker opens after this many consecutive calls that get no response or a 5xx response. */
const OPENS_AFTER = 5;
/** While the circuit breaker is open, it allows one probe call at a time, this long after the last call ended. */
const PROBE_MS = 10_000;
/** A call that has been running for this long counts as slow, because it may run until its timeout. */
const SLOW_MS = 2_000;
/** How long a caller waits if a recently sent probe is still pending. */
const NEAR_MS = 500;
/**
 * The maximum number of simultaneous slow calls. Further calls are rejected, because the process also needs its job slots for other
 * accounts.
 */
const MAX_SLOW = 5;
const SLOW_WAIT_MS = 1_000;
/** The time between the turns of rejected callers in the same lane. Lanes do not wait for each other. */
const TURN_MS = 100;
/** The longest wait. With this limit, each caller tries again within a few minutes, even if many callers are waiting. */
const MAX_TURN_MS = 240_000;
const MAX_LANES = 10_000;

/**
 * Guards the calls to one account or shop. The circuit breaker opens after consecutive failures and then rejects all calls except probes.
 * The first successful response closes it. Like a bulkhead, it rejects further calls while several calls are slow, so that one account
 * never occupies all job slots of a process.
 */
export interface CircuitBreaker {
  /**
   * Returns null if a call in this lane may start now. Otherwise, returns the seconds until it may try again, and the call takes the next
   * turn in its lane.
   */
  requestTurn(lane: string): number | null;
  /** Starts a call, or returns the seconds to wait if the circuit breaker rejects it. Call the returned function when the call ends. */
  enter(lane: string): number | EndCall;
  /** Returns how many times the circuit breaker has opened. */
  opens(): number;
  /** Returns whether the circuit breaker is open, which means that the called API is considered unavailable. */
  isOut(): boolean;
}

/** Called when an outage starts or ends. `seconds` is the duration of the outage. */
export type ReportOutage = (what: 'starts' | 'is over', seconds: number) => void;

/**
 * `failed`: no response, or a 5xx. A 4xx counts as `answered`. `unknown`: the call was not sent, so it shows nothing about the called API.
 */
export type EndCall = (outcome: 'answered' | 'failed' | 'unknown') => void;

/** Creates a closed circuit breaker. */
export function createCircuitBreaker(
  { ticks }: Pick<Clock, 'ticks'>,
  report: ReportOutage = () => undefined,
): CircuitBreaker {
  const turns = new Map<string, number>();
  const begun = new Set<{ at: number }>();
  let failures = 0;
  let opens = 0;
  let probe: { at: number } | null = null;
  /** When the next probe may be sent. Null while the circuit breaker is closed. */
  let probeAt: number | null = null;
  let openedAt = 0;

  function reserveTurn(lane: string, waitMs: number): number {
    const now = ticks();
    const ready = now + waitMs;
    const turn = Math.min(Math.max(ready, (turns.get(lane) ?? -Infinity) + TURN_MS), ready + MAX_TURN_MS);
    // The map orders lanes by their last rejection, so the first lane is the oldest.
    turns.delete(lane);
    turns.set(lane, turn);
    const [oldest] = turns.size > MAX_LANES ? turns.keys() : [];
    if (oldest !== undefined) turns.delete(oldest);
    return Math.ceil(turn - now) / 1000;
  }

  function requestTurn(lane: string): number | null {
    const now = ticks();
    // Only one probe runs at a time, even if it takes long. While a probe's response is expected soon, callers wait only briefly and do not
    // queue behind all callers that are already waiting.
    const isNear = probe !== null && now - probe.at <= SLOW_MS;
    if (probeAt !== null && isNear) return reserveTurn(lane, NEAR_MS);
    if (probeAt !== null && begun.size > 0) return reserveTurn(lane, Math.max(PROBE_MS, probeAt - now));
    if (probeAt !== null) return probeAt > now ? reserveTurn(lane, probeAt - now) : null;
    const slow = [...begun].filter(({ at }) => now - at > SLOW_MS).length;
    return slow >= MAX_SLOW ? reserveTurn(lane, SLOW_WAIT_MS) : null;
  }

  function recordOutcome(failed: boolean): void {
    if (!failed) {
      if (probeAt !== null) report('is over', Math.round((ticks() - openedAt) / 1000));
      failures = 0;
      probeAt = null;
      return;
    }
    failures += 1;
    if (failures < OPENS_AFTER) return;
    if (probeAt === null) {
      opens += 1;
      openedAt = ticks();
      report('starts', 0);
    }
    probeAt = ticks() + PROBE_MS;
  }

  return {
    requestTurn,
    enter(lane) {
      const seconds = requestTurn(lane);
      if (seconds !== null) return seconds;
      const call = { at: ticks() };
      if (probeAt !== null) {
        probe = call;
        probeAt = call.at + PROBE_MS;
      }
      begun.add(call);
      return (outcome) => {
        begun.delete(call);
        if (probe === call) probe = null;
        if (outcome !== 'unknown') recordOutcome(outcome === 'failed');
      };
    },
    opens: () => opens,
    isOut: () => probeAt !== null,
  };
}
