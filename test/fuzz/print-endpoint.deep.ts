import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzzPrintEndpoint, openTarget } from './fuzz-endpoints.ts';

const COUNT = 4_000;
/** Every run sends different bodies. A failure names the seed of the failing body. */
const seed = Date.now() % 2 ** 31;
let target: Awaited<ReturnType<typeof openTarget>>;

beforeAll(async () => {
  target = await openTarget();
});

afterAll(() => target.close());

test('the print event endpoint responds to any body with 200, 400, 404 or 413, and most bodies are accepted and handled', async () => {
  const answers = await fuzzPrintEndpoint(target, seed, COUNT);
  expect([200, 400, 404, 413]).toEqual(expect.arrayContaining(Object.keys(answers).map(Number)));
  expect(answers[200]).toBeGreaterThan(COUNT / 2);
  expect(target.spooled()).toEqual([]);
});
