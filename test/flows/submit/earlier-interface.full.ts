import { afterEach, describe, expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { codesOf, untilCodes } from '../changes/manual-actions.ts';
import { liveOrders, placePoster, pollPrintOrders, untilLastSubmitted, untilSubmitted } from './earlier-interface.ts';
import {
  attemptsOf,
  injectFaults,
  inStore,
  placeUnsubmitted,
  printOrdersOf,
  untilNoDueJobs,
  untilPrintOrder,
} from './submit-helpers.ts';

testPlaten({ advanceSeconds: null });
afterEach(async () => {
  await injectFaults(platen, []);
  await platen.control('print', 'POST', '/promises', { lifeSeconds: null });
  await set({ printInterface: 'current', legacyHost: 'live', printKey: 'sandbox-key' });
});

const set = (settings: object) => changeSettings(platen.app, platen.shop, settings);
const respondsWith = (path: string, status: number) => ({ path, rate: 1, kind: 'status', status });
const advance = ({ id }: { id: string }, to: string) =>
  platen.control('print', 'POST', `/orders/${id}/advance`, { to });
const kindsOf = async ({ id }: PlacedOrder, kind: string) =>
  (await platen.timeline(id)).filter((one) => one === kind).length;

describe.each(['v2', 'v1'] as const)('the interface %s', (printInterface) => {
  test('a print link’s envelopes are ordered, or reported as left out if the interface lacks envelopes', async () => {
    await set({ printInterface });
    const envelopes = { envelopeProductUid: 'blank-envelopes_pf_a7-env_pt_120-g-env', envelopesPerPiece: 10 };
    await platen.app.db.manager.update(PrintLinks, { sku: 'CARDS' }, envelopes);
    const order = await platen.placeSkus({ CARDS: 2 });
    const { id } = await untilSubmitted(platen, order);
    expect(await kindsOf(order, 'envelopes_left_out')).toBe(printInterface === 'v1' ? 1 : 0);
    const ordered = `select envelope_product_uid, envelope_quantity from print_order_lines where print_order_id = $1`;
    const line = { envelope_product_uid: envelopes.envelopeProductUid, envelope_quantity: 20 };
    expect(await platen.app.db.query(ordered, [id])).toEqual([line]);
  });

  test('the service’s production log is copied to the timeline once', async () => {
    await set({ printInterface });
    const order = await placePoster(platen);
    await untilSubmitted(platen, order);
    for (const live of await liveOrders(platen, order)) await advance(live, 'printed');
    await eventually(() => kindsOf(order, 'production_log')).toBeGreaterThan(1);
    await untilNoDueJobs(platen, order);
    const before = await kindsOf(order, 'production_log');
    await pollPrintOrders(platen);
    await platen.pass(60_000);
    expect(await kindsOf(order, 'production_log')).toBe(before);
  });
});

test('orders submitted to the test host do not appear on the live host', async () => {
  await set({ printInterface: 'v2', legacyHost: 'test' });
  const order = await placePoster(platen);
  expect(await untilSubmitted(platen, order)).toMatchObject({ legacyHost: 'test' });
  expect(await liveOrders(platen, order)).toEqual([]);
});

test('an accepted order that the service does not show is held after the quiet time until it appears', async () => {
  await set({ printInterface: 'v2' });
  await injectFaults(platen, [respondsWith('/v2/order/status', 404)]);
  const order = await placePoster(platen);
  const { id: printOrderId, confirmedAt } = await untilSubmitted(platen, order);
  const { submitQuietSeconds } = platen.app.config.print;
  await pollPrintOrders(platen);
  await platen.pass(submitQuietSeconds * 500);
  expect(await codesOf(platen, order)).toEqual([]);
  for (let poll = 0; poll < 2; poll += 1) {
    await platen.pass(submitQuietSeconds * 1000);
    await pollPrintOrders(platen);
  }
  await untilCodes(platen, order, ['order_missing']);
  const hold = await platen.app.db.manager.findOneByOrFail(Holds, { printOrderId });
  expect(hold.createdAt.getTime() - (confirmedAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(submitQuietSeconds * 1000);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ state: 'submitted' }]);
  await injectFaults(platen, []);
  await pollPrintOrders(platen);
  await untilCodes(platen, order, []);
  expect(await attemptsOf(platen, order)).toHaveLength(1);
  expect(await liveOrders(platen, order)).toHaveLength(1);
});

test('if cancel requests succeed but have no effect, Platen stops repeating them and holds the order', async () => {
  await set({ printInterface: 'v1' });
  const order = await placePoster(platen);
  await untilSubmitted(platen, order);
  await injectFaults(platen, [{ ...respondsWith('/v1/order/cancel', 200), effect: 'none' }]);
  const countCalls = async () => {
    const { injected } = (await platen.control('print', 'GET', '/faults')) as { injected: { status?: number } };
    return injected.status ?? 0;
  };
  const before = await countCalls();
  await inStore(platen, order, 'cancel');
  await untilCodes(platen, order, ['cannot_cancel']);
  const calls = (await countCalls()) - before;
  expect(calls).toBeGreaterThan(1);
  await platen.pass(3_600_000);
  expect((await countCalls()) - before).toBe(calls);
  expect(await liveOrders(platen, order)).toHaveLength(1);
});

test('an unsent order is closed when the print interface changes, and its successor is printed once', async () => {
  const { order } = await placeUnsubmitted(platen);
  await set({ printInterface: 'v1' });
  const closed = await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  expect(closed).toMatchObject({ closedReason: 'other_interface', printInterface: 'current', fencedAt: null });
  await injectFaults(platen, []);
  const printOrders = await untilLastSubmitted(platen, order, 2);
  expect(printOrders).toMatchObject([
    { closedReason: 'other_interface', printInterface: 'current', state: 'canceled', fencedAt: expect.any(Date) },
    { closedReason: null, printInterface: 'v1', state: 'submitted' },
  ]);
  const live = await liveOrders(platen, order);
  expect(live.map(({ orderReferenceId }) => orderReferenceId)).toEqual([printOrders[1]?.reference]);
});

describe('the promise of a v2 quote', () => {
  const live = (lifeSeconds: number | null) => platen.control('print', 'POST', '/promises', { lifeSeconds });

  test('a promise that expires before the order is sent is replaced by a new quote', async () => {
    await set({ printInterface: 'v2' });
    await injectFaults(platen, [respondsWith('/v2/order/status', 500)]);
    await live(60);
    const order = await placePoster(platen);
    await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
    await platen.pass(60_000);
    await live(null);
    await injectFaults(platen, []);
    await untilSubmitted(platen, order);
    expect([await kindsOf(order, 'quoted_anew'), await kindsOf(order, 'quoted')]).toEqual([1, 2]);
    expect(await liveOrders(platen, order)).toHaveLength(1);
  });

  test('a promise that expires after a create request closes the reference, and the successor is printed', async () => {
    await set({ printInterface: 'v2' });
    await injectFaults(platen, [respondsWith('/v2/order/create', 429)]);
    await live(60);
    const order = await placePoster(platen);
    await eventually(async () => (await attemptsOf(platen, order))[0]?.outcome).toBe('nothing_made');
    await live(null);
    await platen.pass(60_000);
    await injectFaults(platen, []);
    await eventually(async () => (await liveOrders(platen, order)).length).toBe(1);
    expect(await printOrdersOf(platen, order)).toMatchObject([
      { closedReason: 'promise_over', fencedAt: expect.any(Date) },
      { closedReason: null },
    ]);
  });
});
