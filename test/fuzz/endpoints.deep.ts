import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTarget, sendEvent } from './fuzz-endpoints.ts';

let target: Awaited<ReturnType<typeof openTarget>>;

beforeAll(async () => {
  target = await openTarget();
});

afterAll(() => target.close());

test('an event whose time the database cannot store is stored without its time', async () => {
  for (const created of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00'])
    expect(await sendEvent(target, { created })).toMatchObject({ occurredAt: null, handledAt: expect.any(Date) });
});
