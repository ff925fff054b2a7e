import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import {
  codesOf,
  entriesOf,
  liveOrders,
  placePoster,
  pollPrintOrders,
  untilLastSubmitted,
  untilSubmitted,
} from './earlier-interface.ts';
import { attemptsOf, injectFaults, printOrdersOf, untilPrintOrder, untilNoDueJobs } from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const QUIET_SECONDS = 6;
const QUICK = {
  PRINT_TIMEOUT_SECONDS: '1',
  SUBMIT_DEADLINE_SECONDS: '0.5',
  SUBMIT_QUIET_SECONDS: String(QUIET_SECONDS),
};

let platen: Platen;

beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null, environment: QUICK });
});
afterAll(() => platen.stop());
afterEach(async () => {
  await injectFaults(platen, []);
  await set({ printInterface: 'current', legacyHost: 'live', printKey: 'sandbox-key' });
});

const set = (settings: object) => changeSettings(platen.app, platen.shop, settings);
const respondsWith = (path: string, status: number) => ({ path, rate: 1, kind: 'status', status });
const cancelInStore = ({ id }: PlacedOrder) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(id)}/cancel`, {});

/** Returns the status of an account's response for a v2 order, which shows whether the account knows the order. */
async function statusFor(key: string, reference: string): Promise<number> {
  const headers = { 'x-api-key': key };
  return (await fetch(`${platen.printUrl}/v2/order/status/${reference}`, { headers })).status;
}

test('an accepted order that the service does not show is held after the quiet time until it appears', async () => {
  await set({ printInterface: 'v2' });
  await injectFaults(platen, [respondsWith('/v2/order/status', 404)]);
  const order = await placePoster(platen);
  const { id: printOrderId, confirmedAt } = await untilSubmitted(platen, order);
  const codes = async () => {
    await pollPrintOrders(platen);
    return codesOf(platen, order);
  };
  await eventually(codes).toEqual(['order_missing']);
  const hold = await platen.app.db.manager.findOneByOrFail(Holds, { printOrderId });
  expect(hold.createdAt.getTime() - (confirmedAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(QUIET_SECONDS * 1000);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ state: 'submitted' }]);
  await injectFaults(platen, []);
  await eventually(codes).toEqual([]);
  expect(await attemptsOf(platen, order)).toHaveLength(1);
  expect(await liveOrders(platen, order)).toHaveLength(1);
});

test('an order that was quoted with a refused key is quoted again with the next key and printed once', async () => {
  await set({ printInterface: 'v2' });
  await injectFaults(platen, [respondsWith('/v2/order/status', 401)]);
  const order = await placePoster(platen);
  await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
  await eventually(() => codesOf(platen, order)).toEqual(['print_account_refused']);
  await injectFaults(platen, []);
  await set({ printKey: 'sandbox-key-2' });
  const [printOrder, ...others] = await untilLastSubmitted(platen, order, 1);
  expect(others).toEqual([]);
  const reference = printOrder?.reference ?? '';
  await eventually(() => statusFor('sandbox-key-2', reference)).toBe(200);
  expect(await statusFor('sandbox-key', reference)).toBe(404);
  await untilNoDueJobs(platen, order);
  expect(await codesOf(platen, order)).toEqual([]);
  expect(await attemptsOf(platen, order)).toMatchObject([{ outcome: 'done' }]);
  expect(await liveOrders(platen, order)).toHaveLength(1);
});

test('the successor of an order whose create request was refused is printed once the key is entered again', async () => {
  await set({ printInterface: 'v2' });
  await injectFaults(platen, [{ ...respondsWith('/v2/order/create', 400), times: 1 }]);
  const order = await placePoster(platen);
  await eventually(() => codesOf(platen, order)).toEqual(['create_refused']);
  await set({ printKey: 'sandbox-key' });
  const printOrders = await untilLastSubmitted(platen, order, 2);
  expect(printOrders.map(({ closedReason }) => closedReason)).toEqual(['refused', null]);
  expect(printOrders[0]?.fencedAt).toBeInstanceOf(Date);
  await untilNoDueJobs(platen, order);
  const live = await liveOrders(platen, order);
  expect(live.map(({ orderReferenceId }) => orderReferenceId)).toEqual([printOrders[1]?.reference]);
  expect(await codesOf(platen, order)).toEqual([]);
});

test('a shop whose key the test host refuses can still print orders through the current interface', async () => {
  await set({ printInterface: 'v2', legacyHost: 'test' });
  await injectFaults(platen, [respondsWith('/test/v2', 401)]);
  const refused = await placePoster(platen);
  await eventually(() => codesOf(platen, refused)).toContain('print_account_refused');
  await set({ printInterface: 'current', legacyHost: 'live' });
  const order = await placePoster(platen);
  await untilSubmitted(platen, order);
  expect(await platen.printedFor(order.name)).toHaveLength(1);
  expect(await platen.app.db.manager.countBy(PrintAccounts, { state: 'refused' })).toBe(0);
});

test('if cancel requests succeed but have no effect, Platen stops repeating them and holds the order', async () => {
  await set({ printInterface: 'v1' });
  const order = await placePoster(platen);
  const { id } = await untilSubmitted(platen, order);
  await injectFaults(platen, [{ ...respondsWith('/v1/order/cancel', 200), effect: 'none' }]);
  const { injected: before } = (await platen.control('print', 'GET', '/faults')) as Injected;
  await cancelInStore(order);
  await eventually(() => codesOf(platen, order)).toEqual(['cannot_cancel']);
  const { injected } = (await platen.control('print', 'GET', '/faults')) as Injected;
  const calls = (injected.status ?? 0) - (before.status ?? 0);
  expect(calls).toBeGreaterThan(1);
  expect(calls).toBeLessThanOrEqual(2 + QUIET_SECONDS / 2);
  await untilNoDueJobs(platen, order);
  expect(await platen.app.db.query('select key from graphile_worker.jobs where key = $1', [`submit:${id}`])).toEqual(
    [],
  );
  expect(await liveOrders(platen, order)).toHaveLength(1);
});

interface Injected {
  injected: { status?: number };
}

test('an unsent order is closed when the print interface changes, and its successor is printed once', async () => {
  await injectFaults(platen, [{ ...respondsWith('/v4/orders:search', 500), method: 'POST' }]);
  const order = await placePoster(platen);
  await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
  await set({ printInterface: 'v1' });
  const closed = await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  expect(closed).toMatchObject({ closedReason: 'other_interface', printInterface: 'current', fencedAt: null });
  await injectFaults(platen, []);
  const printOrders = await untilLastSubmitted(platen, order, 2);
  expect(printOrders).toMatchObject([
    { closedReason: 'other_interface', printInterface: 'current', state: 'canceled' },
    { closedReason: null, printInterface: 'v1', state: 'submitted' },
  ]);
  expect(printOrders[0]?.fencedAt).toBeInstanceOf(Date);
  await untilNoDueJobs(platen, order);
  const live = await liveOrders(platen, order);
  expect(live.map(({ orderReferenceId }) => orderReferenceId)).toEqual([printOrders[1]?.reference]);
});

test('a v2 order that is canceled in the store is held, because v2 has no cancel request', async () => {
  await set({ printInterface: 'v2' });
  const order = await placePoster(platen);
  const printOrder = await untilSubmitted(platen, order);
  await cancelInStore(order);
  await eventually(() => codesOf(platen, order)).toEqual(['cannot_cancel']);
  const [hold] = (await platen.listed(order.id)).holds;
  expect(hold?.message).toMatch(/this interface of the print service does not support cancellation/);
  expect(await entriesOf(platen, printOrder, 'held')).toHaveLength(1);
  expect(await liveOrders(platen, order)).toHaveLength(1);
});
