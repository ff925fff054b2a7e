import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPrintClient } from '../../../src/print/client.ts';
import type { PrintServiceError } from '../../../src/print/errors.ts';
import { createCallLimits, type CallLimits } from '../../../src/print/http/limit-calls.ts';
import type { HttpResult } from '../../../src/print/http/request.ts';
import {
  allHosts,
  collect,
  connect,
  createdOrder,
  createRequest,
  failureOf,
  json,
  startService,
  withAllCalls,
  type AllCalls,
} from '../servers.ts';
import { systemClock } from '../../../src/clock.ts';
import { useTestClock } from '../../helpers/eventually.ts';

afterEach(() => vi.restoreAllMocks());

const AT_ONCE = 8;
const WAITING = 48;
/** A time limit that never ends the wait. */
const NEVER = 1e9;

/** Connects two accounts of the same client. */
function connectTwo(url: string): [AllCalls, AllCalls] {
  const client = createPrintClient({ clock: systemClock, urls: allHosts(url), timeoutMs: 5_000 });
  onTestFinished(() => client.close());
  return [withAllCalls(client, 'key-a'), withAllCalls(client, 'key-b')];
}

/** Starts a service that responds only when released, and counts the requests that it delays. */
async function startBlockingService() {
  const held: (() => void)[] = [];
  let most = 0;
  let open = false;
  const service = await startService((_request, response) => {
    if (open) return json(response, 200, createdOrder);
    held.push(() => json(response, 200, createdOrder));
    most = Math.max(most, held.length);
  });
  const release = () => {
    open = true;
    for (const answer of held.splice(0)) answer();
  };
  return { ...service, held, most: () => most, release };
}

function getOrders(print: AllCalls, count: number): Promise<unknown>[] {
  return Array.from({ length: count }, () => print.getOrder('order-1'));
}

describe('the requests of one key', () => {
  test('at most eight requests of a key run simultaneously, and the others wait for their turn', async () => {
    const service = await startBlockingService();
    const clock = await useTestClock();
    const calls = getOrders(connect(service.url, { clock }), 20);
    await clock.settle();
    expect(service.held).toHaveLength(AT_ONCE);
    service.release();
    await clock.during(Promise.all(calls));
    expect(service.requests).toHaveLength(20);
    expect(service.most()).toBe(AT_ONCE);
  });

  test('requests of a key start at a steady rate once the burst is used up', async () => {
    const service = await startService((_request, response) => json(response, 200, createdOrder));
    const clock = await useTestClock();
    await clock.during(Promise.all(getOrders(connect(service.url, { clock }), 50)));
    // The first 25 requests start immediately, then one every 20 ms.
    expect(clock.ticks()).toBeGreaterThan(480);
    expect(service.requests).toHaveLength(50);
  });

  test('if too many requests of a key are waiting, further requests are not sent and fail immediately with a retry time', async () => {
    const service = await startBlockingService();
    const print = connect(service.url);
    const calls = getOrders(print, AT_ONCE + WAITING);
    const read = await failureOf(print.getOrder('order-1'));
    expect(read).toMatchObject({ outcome: 'unavailable', retryable: true, message: 'getOrder: not sent (BUSY)' });
    const create = await failureOf(print.createOrder(createRequest));
    expect(create).toMatchObject({ outcome: 'nothing_made', effect: 'none', retryable: true, problem: null });
    for (const { retryAfterSeconds } of [read, create]) {
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect(retryAfterSeconds).toBeLessThan(10);
    }
    service.release();
    await Promise.all(calls);
    expect(service.requests).toHaveLength(AT_ONCE + WAITING);
  });

  test("a request waits at most half of its call's time limit, so that the other half remains for the response", async () => {
    const service = await startBlockingService();
    const clock = await useTestClock();
    const print = connect(service.url, { clock, timeoutMs: 2_000 });
    const calls = getOrders(print, AT_ONCE).map((call) => failureOf(call));
    const late = await clock.during(failureOf(print.createOrder(createRequest)));
    expect(late).toMatchObject({ outcome: 'nothing_made', message: 'createOrder: not sent (BUSY)' });
    expect(clock.ticks()).toBe(1_000);
    for (const { message } of await clock.during(Promise.all(calls)))
      expect(message).toBe('getOrder: no response (TIMEOUT)');
    expect(service.requests).toHaveLength(AT_ONCE);
  });
});

describe('the calls of a key after a 429 response', () => {
  /** Starts a service that responds with 429 until the test sets `refuses` to false. */
  async function startRefusingService(headers: Record<string, string> = {}, status = 429) {
    const state = { refuses: true };
    const service = await startService(({ url }, response) => {
      if (state.refuses) json(response, status, { message: 'Too many requests.' }, headers);
      else json(response, 200, url.endsWith(':search') ? { orders: [] } : createdOrder);
    });
    return { ...service, state };
  }

  test('until the pause is over, calls are not sent and fail immediately with the remaining time', async () => {
    const service = await startRefusingService({ 'retry-after': '1' });
    const clock = await useTestClock();
    const print = connect(service.url, { clock });
    const first = await failureOf(print.createOrder(createRequest));
    expect(first).toMatchObject({ status: 429, outcome: 'nothing_made', problem: 'too_many_requests' });
    expect(first.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    service.state.refuses = false;
    const paused: PrintServiceError[] = [];
    for (const call of [print.getOrder('o'), collect(print.searchOrders({})), print.createOrder(createRequest)]) {
      paused.push(await failureOf(call));
    }
    expect(paused.map(({ outcome }) => outcome)).toEqual(['unavailable', 'unavailable', 'nothing_made']);
    for (const error of paused) {
      expect(error).toMatchObject({ status: null, effect: 'none', retryable: true, problem: 'too_many_requests' });
      expect(error.message).toContain('not sent (PAUSED)');
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
      expect(error.retryAfterSeconds).toBeLessThanOrEqual(first.retryAfterSeconds ?? 0);
    }
    expect(service.requests).toHaveLength(1);
    await clock.pass((paused.at(-1)?.retryAfterSeconds ?? 0) * 1000 + 20);
    expect((await print.createOrder(createRequest)).id).toBe('order-1');
    expect(service.requests).toHaveLength(2);
  });

  test('waiting calls of the key also fail, but calls of another key continue', async () => {
    const waiting: (() => void)[] = [];
    const service = await startService(({ headers }, response) => {
      if (headers['x-api-key'] === 'key-b') return json(response, 200, createdOrder);
      waiting.push(() => json(response, 429, {}, { 'retry-after': '60' }));
      if (waiting.length === AT_ONCE) for (const answer of waiting) answer();
    });
    const [refused, other] = connectTwo(service.url);
    const failures = await Promise.all(getOrders(refused, 20).map((call) => failureOf(call)));
    expect(failures.filter(({ status }) => status === 429)).toHaveLength(AT_ONCE);
    for (const { retryAfterSeconds } of failures) expect(retryAfterSeconds).toBeGreaterThan(59);
    await Promise.all(getOrders(other, 3));
    expect(service.requests).toHaveLength(AT_ONCE + 3);
  });

  test('the first calls after the pause are spread over time', async () => {
    const clock = await useTestClock();
    const times: number[] = [];
    const service = await startService((_request, response, index) => {
      times.push(clock.ticks());
      // A 500 neither pauses calls nor shows that the service accepts requests again.
      json(response, index === 0 ? 429 : 500, {}, { 'retry-after': '0.3' });
    });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const print = connect(service.url, { clock });
    await failureOf(print.getOrder('order-1'));
    await clock.pass(310);
    await clock.during(Promise.all(getOrders(print, 4).map((call) => failureOf(call))));
    const [, ...after] = times;
    expect(after).toHaveLength(4);
    for (const [index, time] of after.slice(1).entries()) expect(time - (after[index] ?? 0)).toBeGreaterThan(50);
  });

  test('a 503 response pauses calls only if it has a Retry-After header', async () => {
    const naming = await startRefusingService({ 'retry-after': '60' }, 503);
    const paused = connect(naming.url);
    expect(await failureOf(paused.patchOrder('o', { orderType: 'order' }))).toMatchObject({ outcome: 'unclear' });
    expect(await failureOf(paused.getOrder('o'))).toMatchObject({ message: 'getOrder: not sent (PAUSED)' });
    const silent = await startRefusingService({}, 503);
    const print = connect(silent.url);
    for (let count = 0; count < 3; count += 1) await failureOf(print.patchOrder('o', { orderType: 'order' }));
    expect(silent.requests).toHaveLength(3);
  });
});

describe('the pause after a 429 response', () => {
  const answer = (status: number, retryAfter: string | null = null) => ({ status, retryAfter, text: '' });

  /** Creates call limits with a clock that the test sets and the maximum jitter. */
  function startLimits() {
    const clock = { ms: 0 };
    vi.spyOn(performance, 'now').mockImplementation(() => clock.ms);
    vi.spyOn(Math, 'random').mockReturnValue(1 - 1e-9);
    return { limits: createCallLimits(systemClock), clock };
  }

  async function waitAfter(limits: CallLimits, status: number, retryAfter: string | null = null) {
    const result = await limits.run('key', NEVER, async () => answer(status, retryAfter));
    return result.waitSeconds;
  }

  test('the pause doubles from one second up to five minutes, and a success resets it', async () => {
    const { limits, clock } = startLimits();
    const pauses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const seconds = (await waitAfter(limits, 429)) ?? 0;
      pauses.push(seconds);
      clock.ms += seconds * 1000 + 1;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    await waitAfter(limits, 500);
    expect(await waitAfter(limits, 429)).toBe(300);
    clock.ms += 300_001;
    expect(await waitAfter(limits, 200)).toBeUndefined();
    expect(await waitAfter(limits, 429)).toBe(1);
  });
});

describe('a print service that is unavailable', () => {
  afterEach(() => vi.restoreAllMocks());

  test('an unavailable service gets one call per key every ten seconds, and calls at the usual rate once it responds again', async () => {
    const clock = { ms: 0 };
    vi.spyOn(performance, 'now').mockImplementation(() => clock.ms);
    const limits = createCallLimits(systemClock);
    const sent: { key: string; at: number }[] = [];
    const isOut = () => clock.ms < 600_000;
    const call = (key: string, lane: string) =>
      limits.run(
        key,
        NEVER,
        async (): Promise<HttpResult> => {
          sent.push({ key, at: clock.ms });
          if (!isOut()) return { status: 200, retryAfter: null, text: '' };
          return sent.length % 2 === 0
            ? { status: 503, retryAfter: null, text: '' }
            : { status: null, code: 'ECONNREFUSED', written: false };
        },
        lane,
      );
    // Orders of three shops, two of which share an account. Each call is retried after the time that its error reports.
    const waiting = Array.from({ length: 60 }, (_, at) => ({
      key: at % 3 === 0 ? 'b' : 'a',
      lane: String(at % 3),
      due: 0,
    }));
    const done: number[] = [];
    for (; waiting.length > 0 && clock.ms < 1_200_000; clock.ms += 100) {
      for (const order of waiting.splice(0)) {
        if (order.due > clock.ms) {
          waiting.push(order);
          continue;
        }
        const result = await call(order.key, order.lane);
        if (result.status === 200) done.push(clock.ms);
        else waiting.push({ ...order, due: clock.ms + (result.waitSeconds ?? 5) * 1000 });
      }
    }
    for (const key of ['a', 'b']) {
      const during = sent.filter((one) => one.key === key && one.at < 600_000).map(({ at }) => at);
      const probes = during.filter((at) => at > 30_000);
      expect(probes.length).toBeLessThanOrEqual(57);
      expect(probes.length).toBeGreaterThan(40);
      for (const [at, time] of probes.slice(1).entries())
        expect(time - (probes[at] ?? 0)).toBeGreaterThanOrEqual(10_000);
    }
    expect(done).toHaveLength(60);
    expect(Math.max(...done)).toBeLessThan(600_000 + 30_000);
    expect(limits.outages()).toBe(2);
  });
});
