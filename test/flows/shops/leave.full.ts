import { expect, onTestFinished, test } from 'vitest';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten } from '../../helpers/platen.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { eventually } from '../../helpers/eventually.ts';

test('platen leave shows what it will undo, undoes it, and reports what remains because a permission is missing', async () => {
  const platen = await startPlaten({ advanceSeconds: null });
  onTestFinished(() => platen.stop());
  const { app, shop } = platen;
  const leave = (...args: string[]) => runAlongside(platen, 'leave', 'demo', ...args);
  const scopes = (change: object) => platen.control('store', 'POST', `/shops/${shop.domain}/scopes`, change);
  const tagsOf = async ({ id }: { id: string }) =>
    ((await platen.control('store', 'GET', `/orders/${encodeURIComponent(id)}`)) as { tags: string[] }).tags;
  await scopes({ grant: ['write_orders'] });
  await changeSettings(app, shop, { tagsOrders: true, release: 'by_hand' });
  const order = await platen.placeSkus({ CARDS: 1 });
  await eventually(() => tagsOf(order)).toEqual(['platen: held']);
  await untilIdle(app);

  const plan = await leave();
  expect(plan).toMatchObject({ code: 0 });
  expect(plan.stdout).toMatch(/^1 order put on hold in the store by Platen\.$/m);
  expect(plan.stdout).toMatch(/^1 order with Platen's tags\.$/m);
  expect(plan.stdout).toMatch(/Nothing was changed/);
  await scopes({ revoke: ['write_orders'] });
  await untilIdle(app);
  const done = await leave('--yes');
  expect(done.stdout).toMatch(/^Undone: 1 order put on hold in the store by Platen\.$/m);
  expect(done.stdout).toMatch(/^Not undone because .* the permission write_orders: 1 order with Platen's tags\.$/m);
  expect(done.stdout).toMatch(/^To undo changes that need a missing permission, open Platen/m);
  expect(await tagsOf(order)).toEqual(['platen: held']);
  await scopes({ grant: ['write_orders'] });
  await untilIdle(app);
  const json = await leave('--yes', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ done: true, left: { held: 0, tagged: 0, missingScopes: [] } });
  expect((await leave('--yes')).stdout).toMatch(/^Nothing is left to undo\. You can remove the app in the store's/m);
  expect(await tagsOf(order)).toEqual([]);
});
