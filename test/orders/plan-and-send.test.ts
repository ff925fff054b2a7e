import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintOrders, SubmitAttempts } from '../../src/database/entities/print-orders.ts';
import { enqueuePlan } from '../../src/orders/enqueue/enqueue-plan.ts';
import { PrintAccounts } from '../../src/database/entities/shops.ts';
import { toTasks } from '../../src/tasks.ts';
import { openTestShop, type TestShop } from '../shipments/test-shop.ts';
import { buyPlanned } from './waits/buy-planned.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
beforeEach(async () => {
  await shop.inPrint('/reset', {});
  await shop.app.db.manager.updateAll(PrintAccounts, { state: 'working', refusedAt: null });
  await shop.app.db.query('delete from graphile_worker._private_jobs');
});
afterAll(() => shop.close());

async function buy(): Promise<{ storefrontOrderId: string; printOrderId: string }> {
  const { storefrontOrder, printOrder } = await buyPlanned(shop);
  await shop.app.db.query('delete from graphile_worker._private_jobs');
  return { storefrontOrderId: storefrontOrder.id, printOrderId: printOrder.id };
}

const plan = (storefrontOrderId: string) => toTasks(shop.app).plan_order({ storefrontOrderId });
const stateOf = async (id: string) => (await shop.app.db.manager.findOneByOrFail(PrintOrders, { id })).state;
const jobs = () =>
  shop.app.db.query<{ key: string; waits: boolean }[]>(
    `select key, run_at > now() + interval '30 seconds' as waits from graphile_worker.jobs where key like 'submit:%' or key like 'quote:%'`,
  );

test.each(['draft', 'direct'])('a single job plans, quotes and submits an order (%s)', async (submit) => {
  await shop.set({ submit });
  const { storefrontOrderId, printOrderId } = await buy();
  await plan(storefrontOrderId);
  expect(await stateOf(printOrderId)).toBe('submitted');
  // The standby job, which would take over if the process died, is removed.
  expect(await jobs()).toEqual([]);
});

test('a create request that the account refuses is sent only once, and retried after a pause', async () => {
  await shop.set({ submit: 'draft' });
  const { storefrontOrderId, printOrderId } = await buy();
  await shop.inPrint('/faults', [{ method: 'POST', path: '/v3/orders', rate: 1, kind: 'status', status: 401 }]);
  await plan(storefrontOrderId);
  const attempts = await shop.app.db.manager.findBy(SubmitAttempts, { printOrderId });
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['account_refused']);
  expect(await jobs()).toEqual([{ key: `submit:${printOrderId}`, waits: true }]);
});

test('nothing is sent while another plan is queued for the order', async () => {
  const { storefrontOrderId, printOrderId } = await buy();
  await enqueuePlan(shop.app.db.manager, storefrontOrderId);
  await plan(storefrontOrderId);
  expect(await stateOf(printOrderId)).toBe('planned');
  expect(await jobs()).toEqual([]);
});
