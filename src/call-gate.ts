/** The gate opens after this many consecutive calls without a response or with a 5xx. */
const OPENS_AFTER = 5;
/** While the gate is open, one probe call is allowed this long after the last call ended. */
const PROBE_MS = 10_000;
/** A call that has taken this long may last until its timeout. */
const SLOW_MS = 2_000;
/** Wait for callers that arrive while a recently sent probe is pending. */
const NEAR_MS = 500;
/** Slow calls allowed at once: the other jobs of a process belong to other accounts. */
const MOST_SLOW = 5;
const SLOW_WAIT_MS = 1_000;
/** Rejected callers return in turn: the first of every lane at the same time, then the second, and so on. */
const TURN_MS = 100;
/** Limit of the wait: however many callers are waiting, each asks again within a few minutes. */
const LONGEST_TURN_MS = 240_000;
const MOST_LANES = 10_000;

/**
 * Guards the calls to one account or shop. As a circuit breaker it opens after consecutive failures, then rejects calls except for a probe;
 * the first good response closes it. As a bulkhead it rejects further calls while several are slow, so that one account never occupies all
 * jobs of a process.
 */
export interface CallGate {
  /** Seconds after which a call of this lane may try again, or null if it may be made now. Takes a turn of the lane, but no probe. */
  turnAway(lane: string): number | null;
  /** Starts a call, or returns the seconds to wait if it is not allowed. The returned function ends the call. */
  enter(lane: string): number | EndCall;
  /** How many times it has opened. */
  opens(): number;
  /** Whether it is open: the other side is considered down. */
  isOut(): boolean;
}

/** Called when an outage starts and when it ends, with its duration in seconds. */
export type ReportOutage = (what: 'starts' | 'is over', seconds: number) => void;

/** `failed`: no response, or a 5xx; a 4xx is an answer. `unknown`: it was not sent, so nothing is learned. */
export type EndCall = (outcome: 'answered' | 'failed' | 'unknown') => void;

/** A gate that starts closed. Times are values of performance.now(), which clock changes do not affect. */
export function createCallGate(probeMs: number = PROBE_MS, report: ReportOutage = () => undefined): CallGate {
  const turns = new Map<string, number>();
  const begun = new Set<{ at: number }>();
  let failures = 0;
  let opens = 0;
  let probe: { at: number } | null = null;
  /** When the next probe may be sent; null while calls are allowed. */
  let probeAt: number | null = null;
  let outSince = 0;

  function takeTurn(lane: string, waitMs: number): number {
    const now = performance.now();
    const ready = now + waitMs;
    const turn = Math.min(Math.max(ready, (turns.get(lane) ?? -Infinity) + TURN_MS), ready + LONGEST_TURN_MS);
    // Lanes are in the order of their last rejection, so the first one is the oldest.
    turns.delete(lane);
    turns.set(lane, turn);
    const [oldest] = turns.size > MOST_LANES ? turns.keys() : [];
    if (oldest !== undefined) turns.delete(oldest);
    return Math.round(turn - now) / 1000;
  }

  function turnAway(lane: string): number | null {
    const now = performance.now();
    // Only one probe runs at a time, however long it waits. While its response may come at any moment, callers return soon after it,
    // instead of after all who are already waiting.
    const isNear = probe !== null && now - probe.at <= SLOW_MS;
    if (probeAt !== null && isNear) return takeTurn(lane, NEAR_MS);
    if (probeAt !== null && begun.size > 0) return takeTurn(lane, Math.max(probeMs, probeAt - now));
    if (probeAt !== null) return probeAt > now ? takeTurn(lane, probeAt - now) : null;
    const slow = [...begun].filter(({ at }) => now - at > SLOW_MS).length;
    return slow >= MOST_SLOW ? takeTurn(lane, SLOW_WAIT_MS) : null;
  }

  function learn(failed: boolean): void {
    if (!failed) {
      if (probeAt !== null) report('is over', Math.round((performance.now() - outSince) / 1000));
      failures = 0;
      probeAt = null;
      return;
    }
    failures += 1;
    if (failures < OPENS_AFTER) return;
    if (probeAt === null) {
      opens += 1;
      outSince = performance.now();
      report('starts', 0);
    }
    probeAt = performance.now() + probeMs;
  }

  return {
    turnAway,
    enter(lane) {
      const seconds = turnAway(lane);
      if (seconds !== null) return seconds;
      const call = { at: performance.now() };
      if (probeAt !== null) {
        probe = call;
        probeAt = call.at + probeMs;
      }
      begun.add(call);
      return (outcome) => {
        begun.delete(call);
        if (probe === call) probe = null;
        if (outcome !== 'unknown') learn(outcome === 'failed');
      };
    },
    opens: () => opens,
    isOut: () => probeAt !== null,
  };
}
