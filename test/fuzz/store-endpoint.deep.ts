import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzzShopifyEndpoint, openTarget } from './fuzz-endpoints.ts';

const COUNT = 5_000;
/** Every run sends different bodies. A failure names the seed of the failing body. */
const seed = Date.now() % 2 ** 31;
let target: Awaited<ReturnType<typeof openTarget>>;

beforeAll(async () => {
  target = await openTarget();
});

afterAll(() => target.close());

test('the webhook endpoint responds to any signed body with 200, 400, 401 or 413, and most bodies are accepted and handled', async () => {
  const answers = await fuzzShopifyEndpoint(target, seed, COUNT);
  expect([200, 400, 401, 413]).toEqual(expect.arrayContaining(Object.keys(answers).map(Number)));
  expect(answers[200]).toBeGreaterThan(COUNT / 2);
});
