import { IsNull } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { PrintAccounts, Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { StepWaits, type Step } from '../../../src/database/entities/step-waits.ts';
import { endStepWaits } from '../../../src/orders/waits/end-step-waits.ts';
import { recordStepWait } from '../../../src/orders/waits/record-step-wait.ts';
import { readWaits } from '../../../src/orders/waits/read-waits.ts';
import { toTasks } from '../../../src/tasks.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { addCustomerOrder } from '../privacy/add-customer-order.ts';
import { atTime } from '../../helpers/at-time.ts';

let app: TestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops; delete from print_accounts; delete from graphile_worker._private_jobs');
  // The key was encrypted with another ENCRYPTION_KEY.
  const { id } = await app.db.manager.save(PrintAccounts, { keyFingerprint: 'key', keyEncrypted: 'key' });
  const { id: shopId } = await addShop(app.db);
  await app.db.manager.update(Shops, { id: shopId }, { printAccountId: id });
  shop = await app.db.manager.findOneByOrFail(Shops, { id: shopId });
});

/** Adds an order with one print order in this state and without a hold. */
async function add(changes: Partial<PrintOrder>): Promise<PrintOrder> {
  const { printOrder } = await addCustomerOrder(app, shop, 'Canary', 1, changes);
  const set = { ...changes, printAccountId: shop.printAccountId };
  await app.db.manager.update(PrintOrders, { id: printOrder.id }, set as never);
  await app.db.manager.delete(Holds, { storefrontOrderId: printOrder.storefrontOrderId });
  return app.db.manager.findOneByOrFail(PrintOrders, { id: printOrder.id });
}

const inMinutes = (minutes: number): TestApp => atTime(app, () => new Date(Date.now() + minutes * 60_000));
const readOne = async ({ storefrontOrderId: id }: PrintOrder) =>
  (await readWaits(app, app.db.manager, [id])).get(id)?.find(({ reference }) => reference !== null);
const open = async ({ storefrontOrderId }: PrintOrder) =>
  (await app.db.manager.findBy(Holds, { storefrontOrderId, resolvedAt: IsNull() })).map(({ code }) => code);

const SENT = { serviceOrderId: 'service-1', confirmStartedAt: new Date(), confirmedAt: new Date() };
const STEPS = [
  { step: 'quote', set: { state: 'planned', bodySha256: null } },
  { step: 'submit', set: { state: 'quoted' } },
  { step: 'follow', set: { state: 'in_production', ...SENT } },
] as const;

test.each(STEPS)(
  'a print order whose step "$step" fails because of an error in Platen shows the failure and is held later',
  async ({ step, set }) => {
    const printOrder = await add(set);
    const { id: printOrderId, storefrontOrderId } = printOrder;
    const take = (minutes: number): Promise<void> => {
      const tasks = toTasks(inMinutes(minutes));
      if (step === 'quote') return tasks.quote_order({ storefrontOrderId });
      return tasks[step === 'submit' ? 'submit_print_order' : 'follow_print_order']({ printOrderId });
    };
    await expect(take(0)).rejects.toThrow();
    expect((await readOne(printOrder))?.message).toContain('Platen failed to');
    for (const minutes of [1, 2, 3]) await expect(take(minutes)).rejects.toThrow();
    expect(await open(printOrder)).toEqual([]);
    await expect(take(16)).rejects.toThrow();
    expect(await open(printOrder)).toEqual(['step_failing']);
    expect(await app.db.manager.countBy(StepWaits, { printOrderId })).toBe(1);
  },
);

test('an order that is being printed shows that the shop must sign in', async () => {
  const printOrder = await add({ state: 'in_production', ...SENT });
  await app.db.manager.update(Shops, { id: shop.id }, { state: 'needs_sign_in' });
  const { storefrontOrderId: id } = printOrder;
  const waits = (await readWaits(app, app.db.manager, [id])).get(id) ?? [];
  expect(waits.map(({ message }) => message).join(' ')).toContain('lost its access to the store');
});

test('a draft that is left at the print service is not shown as sent', async () => {
  const draft = { submitWay: 'draft', serviceOrderId: 'draft-1', isLeftAsDraft: true, confirmedAt: null } as const;
  const printOrder = await add({ state: 'submitting', ...draft });
  expect((await readOne(printOrder))?.message).toContain('Its draft stays at the print service');
});

test('a print order with two failing steps has one hold until both steps succeed', async () => {
  const { manager } = app.db;
  const printOrder = await add({ state: 'in_production' });
  const { storefrontOrderId } = printOrder;
  const patience = { minutes: 0, tries: 1 };
  const fail = (step: Step) =>
    recordStepWait(app, manager, { ...printOrder, printOrder }, { step, why: 'No.', patience });
  const pass = (step: Step) =>
    endStepWaits(app, manager, { printOrderIds: [printOrder.id] }, step, new Date(Date.now() + 60_000));
  const count = () => manager.countBy(Holds, { storefrontOrderId, code: 'step_failing', resolvedAt: IsNull() });
  await fail('search');
  await fail('follow');
  expect(await count()).toBe(1);
  await pass('search');
  expect(await count()).toBe(1);
  await pass('follow');
  expect(await count()).toBe(0);
  expect(await manager.countBy(Holds, { storefrontOrderId })).toBe(1);
});

test('the pauses between the tries of a failing step grow to five minutes', async () => {
  const printOrder = await add({ state: 'in_production' });
  const pauses: number[] = [];
  for (const minutes of [0, 1, 5]) {
    const later = inMinutes(minutes);
    const now = later.clock.now();
    const wait = { step: 'follow', why: 'No.', patience: null } as const;
    const next = await recordStepWait(
      atTime(later, () => now),
      app.db.manager,
      { ...printOrder, printOrder },
      wait,
    );
    pauses.push((next.getTime() - now.getTime()) / 1000);
  }
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
  expect(pauses[0]).toBeLessThan(10);
  expect(pauses.at(-1)).toBeGreaterThanOrEqual(150);
  expect(pauses.at(-1)).toBeLessThanOrEqual(300);
});
