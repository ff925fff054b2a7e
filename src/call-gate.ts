/** Calls in a row without an answer, or with a 5xx, after which no more are made for a while. */
const OPENS_AFTER = 5;
/** While it is open, one call asks whether the other side answers again, this long after the last one has ended. */
const PROBE_MS = 10_000;
/** A call that has lasted so long may last until its timeout. */
const SLOW_MS = 2_000;
/** Whoever comes while a probe waits for its answer, and not for long yet, comes again after this. */
const NEAR_MS = 500;
/** Slow calls at once: the other jobs of a process belong to other accounts. */
const MOST_SLOW = 5;
const SLOW_WAIT_MS = 1_000;
/** Whoever is turned away comes back in turn: the first of every lane at the same time, then the second, and so on. */
const TURN_MS = 100;
/** The last turn: however many wait, each asks again within some minutes. */
const LONGEST_TURN_MS = 240_000;
const MOST_LANES = 10_000;

/**
 * What stands in front of the calls to one account or shop. It is a circuit breaker: calls that fail one after another open it, then
 * calls are turned away but for a probe, and the first good answer closes it. And it is a bulkhead: while some calls are slow the
 * others are turned away, so that one account never holds all jobs of a process.
 */
export interface CallGate {
  /** Seconds after which a call of this lane may come again; null: one may be made now. Takes a turn of the lane, but no probe. */
  turnAway(lane: string): number | null;
  /** Begins a call; seconds to wait where it may not. What it returns otherwise ends the call. */
  enter(lane: string): number | EndCall;
  /** How often it has opened. */
  opens(): number;
  /** Whether it is open: the other side is taken to be out. */
  isOut(): boolean;
}

/** Called when an outage starts and when it ends, with the seconds that it has lasted. */
export type ReportOutage = (what: 'starts' | 'is over', seconds: number) => void;

/** `failed`: there was no answer, or a 5xx; a 4xx is an answer. `unknown`: it was not sent, which tells nothing. */
export type EndCall = (outcome: 'answered' | 'failed' | 'unknown') => void;

/** A gate that is closed to nobody. Moments are values of performance.now(), which no change of the clock moves. */
export function createCallGate(probeMs: number = PROBE_MS, report: ReportOutage = () => undefined): CallGate {
  const turns = new Map<string, number>();
  const begun = new Set<{ at: number }>();
  let failures = 0;
  let opens = 0;
  let probe: { at: number } | null = null;
  /** When the next probe may be sent; null while calls are let through. */
  let probeAt: number | null = null;
  let outSince = 0;

  function takeTurn(lane: string, waitMs: number): number {
    const now = performance.now();
    const ready = now + waitMs;
    const turn = Math.min(Math.max(ready, (turns.get(lane) ?? -Infinity) + TURN_MS), ready + LONGEST_TURN_MS);
    // The lane that was turned away last is at the end; the first one is the longest forgotten.
    turns.delete(lane);
    turns.set(lane, turn);
    const [oldest] = turns.size > MOST_LANES ? turns.keys() : [];
    if (oldest !== undefined) turns.delete(oldest);
    return Math.round(turn - now) / 1000;
  }

  function turnAway(lane: string): number | null {
    const now = performance.now();
    // One asks at a time, however long it waits for its answer. While that may come at any moment, whoever came beside it
    // asks again soon: with those whose turn is after the answer, and not after all of them.
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
