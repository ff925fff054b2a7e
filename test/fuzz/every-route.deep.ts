import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRoutes } from '../http/list-routes.ts';
import type { TestApp } from '../http/test-app.ts';
import { aimRequest } from './aim-request.ts';
import { findInternalDetails } from './find-internal-details.ts';
import { runConcurrently, handleAll } from './fuzz-endpoints.ts';
import { openStage, type Stage } from './open-stage.ts';
import { createRandom } from './random.ts';
import { openSender, type Answer, type Shot } from './send-request.ts';

/** Every run sends different requests. To repeat the request that a failure names, set its seed and a count of 1. */
const SEED = Number(process.env['PLATEN_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
/** The full test run sends 50,000 requests. Only then is the growth of memory measured. */
const COUNT = Number(process.env['PLATEN_FUZZ_COUNT'] ?? 5_000);
/** The number of requests after which the stored deliveries are handled and the memory is measured. */
const BATCH = 5_000;
const CONCURRENCY = 12;
/** The process loads its code and opens its connections during the first requests, which are sent one after another. */
const FIRST = 100;
const TRIES = 20;
const PATIENCE = { timeout: 3_600_000 };
const MAX_SHOWN = 20;
/** Caches fill during the first batches. A leak of 700 bytes per request exceeds this growth in the later batches. */
const WARM_UP_BATCHES = 4;
const MAX_GROWTH = 20 * 1024 * 1024;
/**
 * The shares of the requests that the routes get, relative to each other. Routes with a body get more, because most changed bodies are
 * rejected. Pages get fewer, because they take long to render.
 */
const SHARES: [RegExp, number][] = [
  [/^POST \/webhooks\//, 100],
  [/^(?:(?:PUT|DELETE) |POST \/(?:api|flow|fulfillment|rates)|GET \/(?:auth|assets|healthz|proxy)|OPTIONS)/, 30],
  [/^GET \/(?!api)/, 3],
  [/./, 10],
];
/** The callback of a sign-in also needs the cookies that the start of the sign-in sets, so it accepts almost no fuzzed request. */
const RARELY_ACCEPTED = 'GET /auth/callback';

let stage: Stage;

beforeAll(async () => void (stage = await openStage()), 180_000);
afterAll(() => stage?.close());

interface Sent {
  seed: number;
  route: string;
  shot: Shot;
  answer: Answer;
}

async function sendAll(send: (shot: Shot) => Promise<Answer>, onAnswer: (sent: Sent) => void): Promise<number[]> {
  const routes = await listRoutes(stage.platen.app as TestApp);
  const slots = routes.flatMap((route) => {
    const [, share = 0] = SHARES.find(([pattern]) => pattern.test(route)) ?? [];
    return Array.from({ length: share }, () => route);
  });
  const heaps: number[] = [];
  for (let start = 0; start < COUNT; start += BATCH) {
    await stage.repairShops((start / BATCH) % 2 === 0);
    const seeds = Array.from({ length: Math.min(BATCH, COUNT - start) }, (_, index) => SEED + start + index);
    const seedOf = new Map<string, number>();
    const shoot = async (seed: number): Promise<void> => {
      const route = createRandom(~seed).pick(slots);
      const shot = aimRequest(route, stage.keys, seed);
      const body = shot.body ?? '';
      seedOf.set(createHash('sha256').update(body).digest('hex'), seed);
      const answer = await sendUntilAdmitted(send, shot).catch(toFailure);
      onAnswer({ seed, route, shot, answer });
    };
    if (start === 0) await runConcurrently(seeds.splice(0, FIRST), shoot, 1);
    await runConcurrently(seeds, shoot, CONCURRENCY);
    await handleAll(stage.platen, seedOf);
    heaps.push((await stage.readMemory()).heapBytes);
  }
  return heaps;
}

/** Retries a request after a 503 response, which a busy machine returns for work that it could not finish in time. */
async function sendUntilAdmitted(send: (shot: Shot) => Promise<Answer>, shot: Shot): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(shot);
    const isFinal = answer.text.includes('store_refused') || hasNoRates(answer);
    if (answer.status !== 503 || tries === TRIES || isFinal) return answer;
    await delay((answer.retryAfterSeconds ?? 1) * 1000);
  }
}

/**
 * Returns whether a checkout gets no rates because the print service has no price for its address. The checkout then shows the store's
 * backup rates.
 */
function hasNoRates({ status, text }: Answer): boolean {
  return status === 503 && text.includes('Rates are currently unavailable.');
}

/** Counts a request without a response as failed, so that the failure names its seed. */
function toFailure(error: unknown): Answer {
  return { status: 599, text: String(error), retryAfterSeconds: null };
}

/**
 * Returns whether a request was rejected before its route's handler ran: without valid proof, for an unknown address, with too large a
 * head, or as invalid HTTP.
 */
function isRejectedEarly({ status, text }: Answer): boolean {
  if ([0, 401, 413, 429, 431, 501, 505].includes(status)) return true;
  return /There is nothing here|invalid_link|Bad Request\r\n/.test(text);
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test(
  'changed requests to all routes cause no failure, reveal nothing internal and do not increase memory use',
  PATIENCE,
  async () => {
    const sender = openSender(stage.port, CONCURRENCY);
    const failures: string[] = [];
    const statuses: Record<number, number> = {};
    const accepted = new Map<string, number>();
    let reached = 0;
    const heaps = await sendAll(
      (shot) => sender.send(shot),
      ({ seed, route, shot, answer }) => {
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (!isRejectedEarly(answer)) reached += 1;
        const isAccepted = answer.status > 0 && answer.status < 400;
        accepted.set(route, (accepted.get(route) ?? 0) + Number(isAccepted));
        const sent = `${shot.path} ${JSON.stringify(shot.headers)} ${shot.body?.toString() ?? ''}`;
        const found = findInternalDetails({ text: answer.text, sent }, stage.secrets);
        if (answer.status >= 500 && !hasNoRates(answer)) found.push(`status ${answer.status}`);
        if (found.length > 0)
          failures.push(`${describeSent(seed, shot)}\n${found.join('\n')}\n${answer.text.slice(-600)}`);
      },
    ).finally(() => sender.close());
    const shares = Object.entries(statuses).map(
      ([status, count]) => `${status}: ${((100 * count) / COUNT).toFixed(1)}%`,
    );
    const megabytes = heaps.map((bytes) => (bytes / 1024 / 1024).toFixed(1)).join(', ');
    process.stdout.write(
      `${COUNT} requests from seed ${SEED}; ${((100 * reached) / COUNT).toFixed(1)}% reached a handler; ${shares.join(', ')}; heap ${megabytes} MiB\n`,
    );

    expect(stage.ended(), `seed ${SEED}`).toBeNull();
    const errors = stage
      .readLog()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line));
    const causes = errors.slice(0, 5).join('\n');
    expect(failures.slice(0, MAX_SHOWN).join('\n\n'), `${failures.length} failures\n${causes}`).toBe('');
    expect(errors.slice(0, MAX_SHOWN), `seed ${SEED}: ${errors.length} errors in the log`).toEqual([]);
    expect(reached / COUNT, 'the share that reached a handler').toBeGreaterThan(0.6);
    if (heaps.length <= WARM_UP_BATCHES + 2) return;
    const never = [...accepted].flatMap(([route, count]) => (count > 0 || route === RARELY_ACCEPTED ? [] : [route]));
    expect(never, 'routes that accepted no request').toEqual([]);
    const warm = heaps.slice(WARM_UP_BATCHES);
    const half = Math.floor(warm.length / 2);
    const growth = median(warm.slice(-half)) - median(warm.slice(0, half));
    expect(growth, `heap after each batch: ${heaps.join(', ')}`).toBeLessThan(MAX_GROWTH);
  },
);

function describeSent(seed: number, { method, path, body }: Shot): string {
  return `seed ${seed}: ${method} ${path.slice(0, 500)}\n${body?.toString().slice(0, 1_000) ?? ''}`;
}
