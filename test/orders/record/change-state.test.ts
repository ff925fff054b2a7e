import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TimelineEntries } from '../../../src/database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { changeState } from '../../../src/orders/record/change-state.ts';
import { readPollPasses } from '../../../src/polls/read-poll-passes.ts';
import { addShop, readJobPayloads, openTestApp, type TestApp } from '../../http/test-app.ts';
import { addCustomerOrder } from '../privacy/add-customer-order.ts';

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await openTestApp();
  shop = await addShop(app.db);
});
beforeEach(() => app.db.query('delete from timeline_entries; delete from graphile_worker._private_jobs'));
afterAll(() => app.close());

const read = ({ id }: PrintOrder) => app.db.manager.findOneByOrFail(PrintOrders, { id });
const kindsOf = async ({ id: printOrderId }: PrintOrder) =>
  (await app.db.manager.find(TimelineEntries, { where: { printOrderId }, order: { id: 'ASC' } })).map(
    ({ kind }) => kind,
  );
const move = (printOrder: PrintOrder, to: PrintOrder['state'], kind: string = to) =>
  app.db.transaction((manager) => changeState(manager, printOrder, { to, kind, message: 'It moves.' }));

test('a transition that the table does not allow changes nothing, and is recorded and counted once', async () => {
  const { printOrder } = await addCustomerOrder(app, shop, 'Canary', 1, { state: 'shipped', confirmedAt: new Date() });
  const before = await read(printOrder);
  for (let time = 0; time < 3; time += 1) expect(await move(printOrder, 'submitted')).toBe(false);
  expect(await read(printOrder)).toEqual(before);
  expect(await kindsOf(printOrder)).toEqual(['state_refused']);
  expect(await readJobPayloads(app.db, 'update_store')).toEqual([]);
  expect((await readPollPasses(app)).rejectedTransitions).toBe(1);
  expect(await move(printOrder, 'in_production')).toBe(false);
  expect(await move(printOrder, 'submitted', 'adopted')).toBe(false);
  expect((await readPollPasses(app)).rejectedTransitions).toBe(3);
});

test('whether a transition is allowed depends on the current state, not on the state that the caller read earlier', async () => {
  const { printOrder } = await addCustomerOrder(app, shop, 'Canary', 2, { state: 'quoted' });
  const stale = await read(printOrder);
  expect(await move(printOrder, 'submitting')).toBe(true);
  expect(await move(printOrder, 'submitted')).toBe(true);
  expect(await move(stale, 'planned')).toBe(false);
  expect((await read(printOrder)).state).toBe('submitted');
  expect(await kindsOf(printOrder)).toEqual(['submitting', 'submitted', 'state_refused']);
});
