import { beforeEach, describe, expect, test } from 'vitest';
import { createCircuitBreaker, type CircuitBreaker, type EndCall } from '../src/circuit-breaker.ts';

let clock: { ms: number };
let breaker: CircuitBreaker;

beforeEach(() => {
  clock = { ms: 1_000 };
  breaker = createCircuitBreaker({ ticks: () => clock.ms });
});

/** Starts a request that the circuit breaker must allow. */
function begin(lane = ''): EndCall {
  const entered = breaker.enter(lane);
  if (typeof entered === 'number') throw new Error(`turned away for ${entered} s`);
  return entered;
}

function fail(times: number): void {
  for (let count = 0; count < times; count += 1) begin()('failed');
}

describe('the circuit of a circuit breaker', () => {
  test('the circuit opens after five consecutive failures, and a success resets the count', () => {
    fail(4);
    begin()('answered');
    fail(4);
    expect(breaker.opens()).toBe(0);
    fail(1);
    expect(breaker.opens()).toBe(1);
    expect(breaker.enter('')).toBe(10);
  });

  test('an open circuit allows one call every ten seconds, regardless of the number of callers', () => {
    fail(5);
    const begun: number[] = [];
    for (let second = 1; second <= 600; second += 1) {
      clock.ms += 1_000;
      for (let one = 0; one < 20; one += 1) {
        const entered = breaker.enter(`shop ${one}`);
        if (typeof entered === 'number') continue;
        begun.push(second);
        entered('failed');
      }
    }
    expect(begun).toHaveLength(60);
    expect(begun.every((second, at) => second - (begun[at - 1] ?? second - 10) >= 10)).toBe(true);
    expect(breaker.opens()).toBe(1);
  });

  test('an open circuit does not allow a second call while the probe hangs', () => {
    fail(5);
    clock.ms += 10_000;
    begin();
    expect(breaker.enter('')).toBe(0.5);
    clock.ms += 2_001;
    expect(breaker.enter('')).toBe(10);
  });

  test('the circuit closes at the first response, regardless of which call receives it', () => {
    const early = begin();
    fail(5);
    early('answered');
    begin()('failed');
    expect(breaker.requestTurn('')).toBeNull();
  });

  test('a call that was not sent does not affect the circuit', () => {
    for (let count = 0; count < 10; count += 1) begin()('unknown');
    expect(breaker.opens()).toBe(0);
    fail(4);
    begin()('unknown');
    fail(1);
    expect(breaker.opens()).toBe(1);
  });

  test('checking whether a call is allowed does not count as a probe', () => {
    fail(5);
    clock.ms += 10_000;
    for (let count = 0; count < 10; count += 1) expect(breaker.requestTurn('')).toBeNull();
    begin()('answered');
    expect(breaker.requestTurn('')).toBeNull();
  });
});

describe('the retry times of rejected calls', () => {
  test("a shop with 2000 orders does not delay a shop with 3, and each shop's orders retry in sequence", () => {
    fail(5);
    const large = Array.from({ length: 2_000 }, () => breaker.requestTurn('large') ?? 0);
    const small = Array.from({ length: 3 }, () => breaker.requestTurn('small') ?? 0);
    expect(small).toEqual([10, 10.1, 10.2]);
    expect(large.slice(0, 3)).toEqual(small);
    expect(large).toEqual(large.toSorted((one, other) => one - other));
    // All orders retry within four minutes, so they can be completed within five.
    expect(large.at(-1)).toBeCloseTo(209.9, 5);
  });

  test('a shop that has been waiting for a long time retries at a steady rate instead of sending all its orders with each probe', () => {
    fail(5);
    const waiting = Array.from({ length: 500 }, () => clock.ms + (breaker.requestTurn('shop') ?? 0) * 1000);
    let asked = 0;
    for (const until = clock.ms + 600_000; clock.ms < until; clock.ms += 100) {
      for (const [at, due] of waiting.entries()) {
        if (due > clock.ms) continue;
        asked += 1;
        const entered = breaker.enter('shop');
        if (typeof entered !== 'number') entered('failed');
        waiting[at] = clock.ms + (typeof entered === 'number' ? entered : 10) * 1000;
      }
    }
    expect(asked).toBeLessThanOrEqual(6_100);
  });
});

describe('slow calls of a print account', () => {
  test('five slow calls of an account block a sixth call until one of them ends', () => {
    const calls = Array.from({ length: 5 }, () => begin());
    begin()('answered');
    clock.ms += 2_001;
    expect(breaker.enter('')).toBeGreaterThanOrEqual(1);
    calls[0]?.('answered');
    begin()('answered');
  });
});

test('an outage is reported when it starts and, with its duration, when it ends, but not in between', () => {
  const reports: [string, number][] = [];
  breaker = createCircuitBreaker({ ticks: () => clock.ms }, (...report) => void reports.push(report));
  fail(4);
  begin()('answered');
  expect(reports).toEqual([]);
  fail(5);
  expect([breaker.isOut(), reports]).toEqual([true, [['starts', 0]]]);
  for (let probes = 0; probes < 6; probes += 1) {
    clock.ms += 10_000;
    begin()('failed');
  }
  clock.ms += 10_000;
  begin()('answered');
  begin()('answered');
  const ends: [string, number] = ['is over', 70];
  expect([breaker.isOut(), reports]).toEqual([false, [['starts', 0], ends]]);
});
