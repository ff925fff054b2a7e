import { afterEach, expect, test } from 'vitest';
import { StepWaits } from '../../../src/database/entities/step-waits.ts';
import { catchUpLeftDrafts } from '../../../src/orders/follow/catch-up-left-drafts.ts';
import { catchUpPrintOrders } from '../../../src/orders/follow/catch-up-print-orders.ts';
import { catchUpUncertain } from '../../../src/orders/follow/catch-up-uncertain.ts';
import { enqueueSubmit } from '../../../src/orders/enqueue/enqueue-submit.ts';
import { sweepDrafts } from '../../../src/orders/submit/draft/sweep-drafts.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { act, codesOf, entriesOf, untilCodes } from '../changes/manual-actions.ts';
import { pollPrintOrders } from './earlier-interface.ts';
import {
  atService,
  changeLink,
  deletePrintingData,
  injectFaults,
  inStore,
  requestReplan,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null, settings: { leavesDrafts: true } });
afterEach(async () => {
  await injectFaults(platen, []);
  await platen.control('print', 'POST', '/webhooks', { drop: 0 });
});

const A4_POSTER = 'flat_210x297-mm-8x12-inch_170-gsm-65lb-uncoated_4-0_ver';

/** Returns the existing drafts of an order. Throws if a draft has become an order. */
async function draftsOf(order: PlacedOrder) {
  const made = await atService(platen, order);
  expect(made.filter(({ orderType }) => orderType !== 'draft')).toEqual([]);
  return made.filter(({ deleted }) => deleted !== true);
}

async function placeLeftDraft(skus: Record<string, number> = { 'POSTER-30X40': 1 }): Promise<PlacedOrder> {
  const order = await platen.placeSkus(skus);
  await untilCodes(platen, order, ['left_as_draft']);
  await untilNoDueJobs(platen, order);
  return order;
}

/** Reruns all polls, the plan of each order and every submit step. */
async function runAllPollsAndSteps(...orders: PlacedOrder[]): Promise<void> {
  const { app, shop } = platen;
  await platen.during(Promise.all([catchUpUncertain(app), catchUpPrintOrders(app), catchUpLeftDrafts(app)]));
  await app.jobs.enqueue(app.db, 'resume_shop', { shopId: shop.id });
  for (const order of orders) {
    await requestReplan(platen, order);
    for (const printOrder of await printOrdersOf(platen, order)) {
      await enqueueSubmit(app.db.manager, printOrder);
      await platen.during(sweepDrafts(app, { printOrderId: printOrder.id }));
    }
  }
  await platen.pass(600_000);
}

test('orders left as drafts are never confirmed, despite faults, polls, sweeps, retries, restores and a change of the setting', async () => {
  const create = { method: 'POST', path: '/v3/orders', rate: 1, times: 1 };
  await injectFaults(platen, [
    { ...create, kind: 'reset', effect: 'done' },
    { ...create, kind: 'status', status: 502, effect: 'late', lateMs: 500 },
    { ...create, kind: 'timeout', effect: 'done' },
  ]);
  const orders = await Promise.all(Array.from({ length: 3 }, () => platen.placeSkus({ 'POSTER-30X40': 1 })));
  for (const order of orders) await untilCodes(platen, order, ['left_as_draft']);
  const [restored] = orders;
  if (!restored) throw new Error('no order was placed');
  await deletePrintingData(platen, restored);
  await requestReplan(platen, restored);
  await untilCodes(platen, restored, ['left_as_draft']);
  await changeSettings(platen.app, platen.shop, { leavesDrafts: false });
  await runAllPollsAndSteps(...orders);
  await changeSettings(platen.app, platen.shop, { leavesDrafts: true });
  for (const order of orders) {
    await eventually(async () => (await draftsOf(order)).length).toBe(1);
    expect(await platen.listed(order.id)).toMatchObject({ state: 'held', printOrders: [{ state: 'submitting' }] });
    expect((await printOrdersOf(platen, order)).map(({ confirmStartedAt }) => confirmStartedAt)).toEqual([null]);
    expect(await entriesOf(platen, order, 'left_as_draft')).toHaveLength(1);
  }
});

test.each([
  ['the event about the release', 0],
  ['the poll, even if every event is lost,', 1],
])('a draft released in the dashboard is found by %s and followed', async (_by, drop) => {
  const order = await placeLeftDraft();
  const [draft] = await draftsOf(order);
  await platen.control('print', 'POST', '/webhooks', { drop });
  await platen.control('print', 'POST', `/orders/${draft?.id}/advance`, { to: 'created' });
  if (drop === 1) expect((await platen.during(catchUpLeftDrafts(platen.app))).found).toBeGreaterThanOrEqual(1);
  const listed = await platen.untilState(order.id, 'printing');
  expect(listed.holds).toEqual([]);
  expect(listed.printOrders).toMatchObject([{ serviceOrderIds: [draft?.id] }]);
  expect(await entriesOf(platen, order, 'adopted')).toHaveLength(1);
  expect(await platen.printedFor(order.name)).toHaveLength(1);
});

test('an order whose draft was deleted in the dashboard is held and, on request, recreated as a draft', async () => {
  const order = await placeLeftDraft();
  const [draft] = await draftsOf(order);
  await fetch(`${platen.printUrl}/_control/orders/${draft?.id}`, { method: 'DELETE' });
  await pollPrintOrders(platen);
  await eventually(() => codesOf(platen, order)).toContain('draft_gone');
  expect(await draftsOf(order)).toEqual([]);
  await act(platen, order, 'print-again');
  await eventually(async () => (await draftsOf(order)).length).toBe(1);
  await untilCodes(platen, order, ['left_as_draft']);
  const [old, young] = await printOrdersOf(platen, order);
  expect(old).toMatchObject({ closedReason: 'print_again', fencedAt: expect.any(Date) });
  expect(young?.reference).not.toBe(old?.reference);
});

test('approving an order confirms its draft, and approving it twice prints it once', async () => {
  const order = await placeLeftDraft();
  const [draft] = await draftsOf(order);
  const { done } = await act(platen, order, 'approve');
  expect(done.join(' ')).toMatch(/Platen confirms /);
  await platen.untilState(order.id, 'printing');
  await act(platen, order, 'approve');
  await untilNoDueJobs(platen, order);
  expect((await platen.printedFor(order.name)).map(({ id }) => id)).toEqual([draft?.id]);
  expect(await entriesOf(platen, order, 'approved')).toMatchObject([{ by: 'merchant' }, { by: 'merchant' }]);
});

test('a draft that only the search shows, because the account lacks Order Get, stays there without retries', async () => {
  await injectFaults(platen, [{ method: 'GET', path: '/v4/orders/', kind: 'status', status: 404, rate: 1 }]);
  const order = await placeLeftDraft();
  await runAllPollsAndSteps(order);
  const [printOrder] = await printOrdersOf(platen, order);
  expect(await platen.app.db.getRepository(StepWaits).findBy({ printOrderId: printOrder?.id ?? '' })).toEqual([]);
  expect(await codesOf(platen, order)).toEqual(['left_as_draft']);
  expect(await draftsOf(order)).toHaveLength(1);
});

test('a change in the store replaces the draft, and a cancellation in the store deletes it', async () => {
  const order = await placeLeftDraft();
  const [before] = await draftsOf(order);
  await changeLink(platen, 'POSTER-30X40', { productUid: A4_POSTER });
  await requestReplan(platen, order);
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await eventually(async () => (await draftsOf(order)).map(({ id }) => id)).toEqual([
    expect.not.stringMatching(before?.id ?? ''),
  ]);
  const [after] = await draftsOf(order);
  expect(after?.items.map(({ productUid }) => productUid)).toEqual([A4_POSTER]);
  await inStore(platen, order, 'cancel');
  await platen.untilState(order.id, 'canceled');
  await eventually(() => draftsOf(order)).toEqual([]);
});

test('a test order becomes a draft without a hold, and not even an approval confirms the draft', async () => {
  await changeSettings(platen.app, platen.shop, { testOrders: 'draft', leavesDrafts: false });
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 }, { test: true });
  await eventually(() => entriesOf(platen, order, 'left_as_draft')).toHaveLength(1);
  await act(platen, order, 'approve').catch(() => undefined);
  await runAllPollsAndSteps(order);
  expect(await draftsOf(order)).toHaveLength(1);
  expect(await codesOf(platen, order)).toEqual([]);
  await changeSettings(platen.app, platen.shop, { testOrders: 'ignore', leavesDrafts: true });
});
