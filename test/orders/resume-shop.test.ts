import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds } from '../../src/database/entities/orders.ts';
import { Packages } from '../../src/database/entities/packages.ts';
import { PrintOrders, SubmitAttempts } from '../../src/database/entities/print-orders.ts';
import type { Step } from '../../src/database/entities/step-waits.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { enqueueFollow } from '../../src/orders/enqueue/enqueue-follow.ts';
import { enqueuePush } from '../../src/orders/enqueue/enqueue-push.ts';
import { resumeShop } from '../../src/orders/resume-shop.ts';
import { readWaits } from '../../src/orders/waits/read-waits.ts';
import { recordStepWait } from '../../src/orders/waits/record-step-wait.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../shipments/test-shop.ts';

const MINUTES = 60_000;

let shop: TestShop;
let order: ShippedOrder;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.app.db.query('delete from step_waits');
  order = await shop.ordered({ 'POSTER-13X18': 1 });
  await shop.app.db.query('delete from graphile_worker._private_jobs');
});

const inMinutes = (minutes: number): Date => new Date(Date.now() + minutes * MINUTES);

/** A shipped print order with a package that the store does not have. */
async function ship(): Promise<void> {
  const { manager } = shop.app.db;
  await manager.update(PrintOrders, { id: order.printOrder.id }, { state: 'shipped', shippedAt: new Date() });
  const about = { printOrderId: order.printOrder.id, serviceOrderId: order.printOrder.serviceOrderId ?? '' };
  await manager.insert(Packages, { ...about, trackingCode: 'T1', confirmedAt: new Date() });
}

/** The store or the service refuses a step, which runs again in this many minutes. */
async function fail(step: Step, minutes: number): Promise<void> {
  const wait = { step, why: 'No.', seconds: minutes * 60, isExact: true };
  await recordStepWait(shop.app, shop.app.db.manager, { ...order.printOrder, ...order }, wait);
}

async function readJobs(): Promise<Record<string, number>> {
  const rows: { key: string; minutes: number }[] = await shop.app.db.query(
    `select key, ceil(extract(epoch from run_at - now()) / 60)::int as minutes from graphile_worker.jobs where key is not null`,
  );
  return Object.fromEntries(rows.map(({ key, minutes }) => [key.split(':')[0], Math.max(0, minutes)]));
}

async function readNextAt(): Promise<(string | null)[]> {
  const { storefrontOrderId } = order;
  const waits = (await readWaits(shop.app, shop.app.db.manager, [storefrontOrderId])).get(storefrontOrderId) ?? [];
  return waits.filter(({ reference }) => reference !== null).map(({ nextAt }) => nextAt);
}

test('while the store refuses a push, the order shows the time of the push, and the push runs as soon as the shop resumes', async () => {
  await ship();
  await fail('push', 9);
  const runAt = inMinutes(9);
  await enqueuePush(shop.app.db, order.storefrontOrderId, { runAt });
  await enqueueFollow(shop.app.db, order.printOrder, { runAt: inMinutes(1) });
  expect(await readNextAt()).toEqual([runAt.toISOString()]);
  await resumeShop(shop.app, { shopId: shop.shop.id });
  expect(await readJobs()).toMatchObject({ push: 0 });
});

test.each<Step>(['follow', 'submit', 'quote', 'plan'])(
  'a refused step (%s) and the work of the shop that waits for the store run as soon as the shop resumes',
  async (step) => {
    const { db } = shop.app;
    await fail(step, 9);
    const { storefrontOrderId } = order;
    const printOrderId = order.printOrder.id;
    const at = { storefrontOrderId, runAt: inMinutes(9) };
    const key = { follow: 'follow', submit: 'submit', quote: 'quote', plan: 'plan-later' }[step as 'plan'];
    if (step === 'follow') await enqueue(db, 'follow_print_order', { printOrderId }, at);
    if (step === 'submit') await enqueue(db, 'submit_print_order', { printOrderId }, at);
    if (step === 'quote') await enqueue(db, 'quote_order', { storefrontOrderId }, at);
    if (step === 'plan')
      await enqueue(db, 'plan_order', { storefrontOrderId }, { ...at, key: `plan-later:${storefrontOrderId}` });
    await enqueue(db, 'keep_variants', { shopId: shop.shop.id }, { runAt: inMinutes(9) });
    expect(await readJobs()).toMatchObject({ [key]: 9, keep_variants: 9 });
    await resumeShop(shop.app, { shopId: shop.shop.id });
    expect(await readJobs()).toMatchObject({ [key]: 0, keep_variants: 0 });
  },
);

test.each([
  ['the service refused its quote', 'quote_refused', 'planned', true],
  ['the service has an order that Platen does not know', 'unknown_print_order', 'held', false],
] as const)('when the shop resumes, a print order held because %s (%s) is "%s"', async (_, code, state, isResolved) => {
  const { manager } = shop.app.db;
  const { id: printOrderId } = order.printOrder;
  const unsent = {
    state: 'held',
    serviceOrderId: null,
    confirmStartedAt: null,
    confirmedAt: null,
    bodySha256: null,
  } as const;
  await manager.update(PrintOrders, { id: printOrderId }, unsent);
  await manager.delete(SubmitAttempts, { printOrderId });
  const about = { shopId: shop.shop.id, storefrontOrderId: order.storefrontOrderId, printOrderId };
  await manager.insert(Holds, { ...about, code, message: 'It is held.' });
  await resumeShop(shop.app, { shopId: shop.shop.id });
  expect(await manager.findOneBy(PrintOrders, { id: printOrderId })).toMatchObject({ state });
  const hold = await manager.findOneByOrFail(Holds, { printOrderId });
  expect(hold.resolvedAt !== null).toBe(isResolved);
});
