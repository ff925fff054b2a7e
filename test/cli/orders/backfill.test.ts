import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Backfills } from '../../../src/database/entities/backfills.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { addShop, readJobPayloads, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { runPlatenOn, type Ran } from '../run-platen.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops');
  shop = await addShop(app.db);
});

const platen = (...args: string[]): Promise<Ran> => runPlatenOn(app, ['backfill', '--shop', shop.domain, ...args]);
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

test('platen backfill does not wait if no worker is running, and rejects a second backfill', async () => {
  const since = daysAgo(2);
  const ran = await platen('--since', since, '--beside-other-app', '--json');
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('No Platen worker is running') });
  expect(JSON.parse(ran.stdout)).toMatchObject({ since, dryRun: false, askedBy: 'cli', finishedAt: null });
  const begun = await app.db.manager.findOneByOrFail(Backfills, { shopId: shop.id });
  expect(await readJobPayloads(app.db, 'backfill')).toEqual([{ backfillId: begun.id }]);
  const second = await platen('--since', since, '--dry-run');
  expect(second).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is under way') });
  expect(await app.db.manager.countBy(Backfills, { shopId: shop.id })).toBe(1);
  const listed = await platen('--json');
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: begun.id, orders: { read: 0, known: 0, taken: 0 } }]);
  expect((await platen()).stdout).toMatch(/^STARTED .*\n.* backfill +in progress +0 of 0/);
});

test('platen backfill --no-wait explains how to see the progress', async () => {
  const ran = await platen('--since', daysAgo(1), '--no-wait', '--dry-run');
  expect(ran).toEqual({
    code: 0,
    stderr: '',
    stdout: `The backfill is in progress. "platen backfill --shop ${shop.domain}" shows its progress.\n`,
  });
});

test('a backfill is rejected for an uninstalled shop', async () => {
  await app.db.manager.update(Shops, { id: shop.id }, { state: 'uninstalled' });
  const ran = await platen('--since', daysAgo(1));
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('Install Platen in the store') });
  expect(await app.db.manager.count(Backfills)).toBe(0);
});
