import { IsNull } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import type { Step } from '../../../src/database/entities/step-waits.ts';
import { endStepWaits } from '../../../src/orders/waits/end-step-waits.ts';
import { recordStepWait } from '../../../src/orders/waits/record-step-wait.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { addCustomerOrder } from '../privacy/add-customer-order.ts';

let app: TestApp;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

test('a print order with two failing steps has one hold until both steps succeed', async () => {
  const { manager } = app.db;
  const shop = await addShop(app.db);
  const { printOrder } = await addCustomerOrder(app, shop, 'Canary', 1, { state: 'in_production' });
  const { storefrontOrderId } = printOrder;
  await manager.delete(Holds, { storefrontOrderId });
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
