import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { countCallbacks } from '../../../src/shops/callbacks/count-callbacks.ts';
import { readCallbacks } from '../../../src/shops/callbacks/read-callbacks.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { atTime } from '../../helpers/at-time.ts';

const NEVER = { flushMs: 3_600_000 };
const LONG_AGO = new Date(0);

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const read = (shop: Shop, since = LONG_AGO) => readCallbacks(app, shop, since);

/** Returns the app with a clock that is fixed at this time. */
const at = (time: string) => atTime(app, () => new Date(time));

test('several processes add to the same counts, and a process that stops stores its last minute', async () => {
  const shop = await addShop(app.db);
  const processes = ['2026-11-20T10:01:00Z', '2026-11-20T10:59:00Z', '2026-11-20T11:00:00Z'].map((time) =>
    countCallbacks(at(time), NEVER),
  );
  for (const [index, counts] of processes.entries())
    for (const milliseconds of [40, 400, 60_000])
      counts.note({ kind: 'rates', shop: shop.id, isAnswered: index !== 2, milliseconds });
  await Promise.all(processes.map((counts) => counts.close()));
  const durations = [3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 3];
  expect((await read(shop)).rates).toEqual({
    answered: 6,
    failed: 3,
    durations,
    lastAt: new Date('2026-11-20T10:59:00Z'),
  });
  expect((await read(shop, new Date('2026-11-20T11:00:00Z'))).rates).toEqual({
    answered: 0,
    failed: 3,
    durations: durations.map((count) => count / 3),
    lastAt: null,
  });
});

test('while the database cannot store the counts, they are kept and stored later', async () => {
  const shop = await addShop(app.db);
  let isAway = true;
  const query: TestApp['db']['query'] = (...given) =>
    isAway ? Promise.reject(new Error('away')) : app.db.query(...given);
  const db = new Proxy(app.db, {
    get: (target, name) => (name === 'query' ? query : (Reflect.get(target, name) as unknown)),
  });
  const counts = countCallbacks({ ...app, db }, NEVER);
  counts.note({ kind: 'rates', shop: shop.id, isAnswered: true, milliseconds: 10 });
  await counts.flush();
  counts.note({ kind: 'rates', shop: shop.id, isAnswered: true, milliseconds: 10 });
  await counts.flush();
  expect(app.logged().match(/the counts of calls cannot be stored/g)).toHaveLength(1);
  isAway = false;
  await counts.close();
  expect((await read(shop)).rates).toMatchObject({ answered: 2, durations: [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] });
});
