import { afterAll, beforeAll, expect, test } from 'vitest';
import { UnavailableError } from '../../../src/errors.ts';
import { PrintServiceError } from '../../../src/print/errors.ts';
import { requestOnce } from '../../../src/products/catalog/request-once.ts';
import { openTestApp, type OpenTestApp } from '../../http/test-app.ts';

let app: OpenTestApp;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

/** Returns a query that counts its calls. Each test uses its own name for the query, so that tests do not share cached responses. */
function createCountedQuery(name: string, answer: (asked: number) => Promise<object> = async (asked) => ({ asked })) {
  let asked = 0;
  const ask = () => answer((asked += 1));
  return {
    as: (accountId: number, more: unknown = null) =>
      requestOnce(app, { accountId, call: [name, more], what: 'the thing', ask }),
    asked: () => asked,
  };
}

test('identical simultaneous queries share one call, and a later query gets the cached response', async () => {
  const release = Promise.withResolvers<object>();
  const question = createCountedQuery('at once', () => release.promise);
  const waiting = [question.as(1), question.as(1), question.as(1)];
  release.resolve({ found: true });
  expect(await Promise.all(waiting)).toEqual([{ found: true }, { found: true }, { found: true }]);
  await question.as(1);
  expect(question.asked()).toBe(1);
});

test('different accounts and different queries do not share a call', async () => {
  const question = createCountedQuery('per account');
  expect([await question.as(1), await question.as(2), await question.as(1, 'more')]).toEqual([
    { asked: 1 },
    { asked: 2 },
    { asked: 3 },
  ]);
});

test('a failure reaches all callers that wait for it and is not cached', async () => {
  const busy = new PrintServiceError({
    operation: 'searchCatalogProducts',
    outcome: 'unavailable',
    reason: 'status 429',
    status: 429,
    retryAfterSeconds: 7,
  });
  const question = createCountedQuery('failing', async (asked) => {
    if (asked === 1) throw busy;
    return { asked };
  });
  const failures = await Promise.allSettled([question.as(1), question.as(1)]);
  for (const failure of failures) {
    const { reason } = failure as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(UnavailableError);
    expect(reason).toMatchObject({ code: 'print_service_unavailable', retryAfterSeconds: 7 });
  }
  expect(await question.as(1)).toEqual({ asked: 2 });
});
