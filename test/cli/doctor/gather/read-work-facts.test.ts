import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPollProblems } from '../../../../src/cli/doctor/find/find-queue-problems.ts';
import { readPollFacts } from '../../../../src/cli/doctor/gather/read-work-facts.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../../http/test-app.ts';

let app: OpenTestApp;

beforeEach(async () => void (app = await openTestApp()));
afterEach(() => app.close());

/** Records that a poll ran now in a shop and last succeeded `hours` ago, or never. */
async function addPass(pass: string, shopId: number | null, hours: number | null): Promise<void> {
  await app.db.query(
    `insert into poll_passes (pass, shop_id, last_started_at, last_ended_at, last_succeeded_at, runs)
     values ($1, $2, now(), now(), now() - $3::float8 * interval '1 hour', 1)`,
    [pass, shopId, hours],
  );
}

async function addOldShop(domain: string): Promise<number> {
  const { id } = await addShop(app.db, domain);
  await app.db.query("update shops set installed_at = now() - interval '9 days' where id = $1", [id]);
  await app.db.query('update shops set signed_in_at = installed_at where id = $1', [id]);
  return id;
}

const messages = async (): Promise<string[]> =>
  findPollProblems(await readPollFacts(app)).map(({ message }) => message.split('. ')[0] ?? '');

test('a poll that fails in one shop is reported even if it succeeds in the others', async () => {
  const [works, fails, fresh] = [
    await addOldShop('works.myshopify.com'),
    await addOldShop('fails.myshopify.com'),
    (await addShop(app.db, 'fresh.myshopify.com')).id,
  ];
  const pass = 'catch_up_storefront_orders';
  await addPass(pass, works, 0);
  await addPass(pass, fails, 5);
  // This shop was installed again just now.
  await addPass(pass, fresh, 900);
  await addPass('catch_up_packages', null, 0);
  expect(await messages()).toEqual([`The poll ${pass} has not succeeded in fails.myshopify.com for 5 hours`]);
});

test('a poll that has never succeeded in a shop counts as late since the shop’s installation', async () => {
  await addPass('catch_up_stock', await addOldShop('never.myshopify.com'), null);
  expect(await messages()).toEqual(['The poll catch_up_stock has not succeeded in never.myshopify.com for 9 days']);
});

test.each(['uninstalled', 'needs_sign_in'])(
  'polls of a shop that is %s are not late, because they no longer run',
  async (state) => {
    const id = await addOldShop('gone.myshopify.com');
    await addPass('catch_up_storefront_orders', id, 100);
    await addPass('catch_up_packages', null, 0);
    await app.db.query('update shops set state = $2 where id = $1', [id, state]);
    expect(await messages()).toEqual(['All polls have succeeded recently (1).']);
  },
);
