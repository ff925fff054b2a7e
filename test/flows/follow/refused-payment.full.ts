import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IsNull, Not } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { removeOldWaits } from '../../../src/orders/waits/remove-old-waits.ts';
import { readConnections } from '../../../src/shops/read-connections.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { liveOrders, pollPrintOrders } from '../submit/earlier-interface.ts';
import {
  atService,
  runSubmitJobsNow,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const ALARM = "the print service refuses a print account's payments";

let platen: Platen;
let home: string;
let logFile: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'platen-payment-'));
  logFile = join(home, 'platen.log');
  platen = await startPlaten({ advanceSeconds: null, logFile, environment: { LOG_LEVEL: 'error' } });
}, 120_000);
afterAll(async () => {
  await platen.stop();
  await rm(home, { recursive: true, force: true });
});

const account = () => platen.app.db.manager.findOneByOrFail(PrintAccounts, { id: platen.shop.printAccountId ?? 0 });
const countAlarms = async () => (await readFile(logFile, 'utf8')).split(ALARM).length - 1;
const readMetric = async () => {
  const text = await (await fetch(`${platen.url}/metrics`)).text();
  return /^platen_print_accounts_payment_refused (\d+)$/m.exec(text)?.[1];
};
const refusePayments = (refused: boolean) => platen.control('print', 'POST', '/payment', { refused });
const placePoster = () => platen.placeSkus({ 'POSTER-30X40': 1 });
const isConfirmed = ({ confirmedAt }: { confirmedAt: Date | null }) => confirmedAt !== null;
const codes = async ({ id }: PlacedOrder) => (await platen.listed(id)).holds.map(({ code }) => code);
const timelineKinds = async ({ id }: PlacedOrder) => platen.timeline(id);

/** Backdates the refusal and the last probe, so that the next order may be sent as a probe. */
async function allowProbe(): Promise<void> {
  await platen.pass(1_000);
  await platen.app.db.query(
    `update print_accounts set payment_refused_at = now() - interval '2 hours', payment_probed_at = now() - interval '1 hour' where payment_refused_at is not null`,
  );
}

let alarmsBefore = 0;
beforeEach(async () => {
  alarmsBefore = await countAlarms();
  await refusePayments(true);
});
afterEach(async () => {
  await refusePayments(false);
  // Waits until Platen has read that all orders are paid, so that none of them changes during the next test.
  const isOpen = { fencedAt: IsNull(), state: Not<PrintOrder['state']>('canceled') };
  const unpaid = () => platen.app.db.manager.countBy(PrintOrders, { financialStatus: 'refused', ...isOpen });
  await pollPrintOrders(platen);
  await eventually(unpaid).toBe(0);
  await platen.app.db.manager.update(
    PrintAccounts,
    { id: platen.shop.printAccountId ?? 0 },
    { paymentRefusedAt: null },
  );
  // The waiting orders are sent.
  await platen.pass(7_200_000);
  await removeOldWaits(platen.app);
});

/** Places an order whose payment the service refuses, and another order that waits because of the refusal. */
async function placeRefusedAndWaiting(): Promise<{ refused: PlacedOrder; waiting: PlacedOrder }> {
  const refused = await placePoster();
  await untilPrintOrder(platen, refused, isConfirmed);
  await eventually(() => codes(refused)).toEqual(['payment_refused']);
  const waiting = await placePoster();
  await eventually(() => timelineKinds(waiting)).toContain('waits');
  return { refused, waiting };
}

test('a refused payment holds its order and pauses all other orders until the service accepts a payment', async () => {
  const { refused, waiting } = await placeRefusedAndWaiting();
  const { paymentRefusedAt: since } = await account();
  expect(since).toBeInstanceOf(Date);
  expect(await readMetric()).toBe('1');
  const third = await placePoster();
  await eventually(() => timelineKinds(third)).toContain('waits');
  for (const order of [waiting, third]) {
    await runSubmitJobsNow(platen, order);
    await untilNoDueJobs(platen, order);
    expect(await atService(platen, order)).toEqual([]);
    expect(await codes(order)).toEqual([]);
    expect((await timelineKinds(order)).filter((kind) => kind === 'waits')).toHaveLength(1);
  }
  const [hold] = (await platen.listed(refused.id)).holds;
  expect(hold?.remedy).toContain('dashboard of the print service');

  // One order is sent as a probe, and its payment is also refused. This raises no second alarm, and the third order still waits.
  await allowProbe();
  await runSubmitJobsNow(platen, waiting);
  await eventually(() => codes(waiting)).toEqual(['payment_refused']);
  await runSubmitJobsNow(platen, third);
  await untilNoDueJobs(platen, third);
  expect(await atService(platen, third)).toEqual([]);
  expect(await countAlarms()).toBe(alarmsBefore + 1);

  // The service accepts the next probe.
  await refusePayments(false);
  await allowProbe();
  await runSubmitJobsNow(platen, third);
  await untilPrintOrder(platen, third, isConfirmed);
  await eventually(async () => (await account()).paymentRefusedAt).toBeNull();
  expect(await readMetric()).toBe('0');
  await pollPrintOrders(platen);
  for (const order of [refused, waiting]) {
    await eventually(() => codes(order)).toEqual([]);
    expect(await timelineKinds(order)).toContain('payment_settled');
  }
  for (const order of [refused, waiting, third]) expect(await liveOrders(platen, order)).toHaveLength(1);
});

test('an order that fails because of its payment is held, and other orders show why they are waiting', async () => {
  await refusePayments(false);
  const order = await placePoster();
  const printOrder = await untilPrintOrder(platen, order, isConfirmed);
  await untilNoDueJobs(platen, order);
  const [live] = await liveOrders(platen, order);
  await refusePayments(true);
  const to = { to: 'failed', financialStatus: 'refused' };
  await platen.control('print', 'POST', `/orders/${live?.id}/advance`, to);
  await pollPrintOrders(platen);
  await eventually(() => codes(order)).toEqual(['payment_refused']);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ id: printOrder.id, state: 'failed' }]);
  const waiting = await placePoster();
  await eventually(() => timelineKinds(waiting)).toContain('waits');
  const [wait] = (await platen.listed(waiting.id)).waits;
  expect(wait).toMatchObject({ message: expect.stringContaining('refuses payments'), nextAt: expect.any(String) });
  const { printAccount } = await readConnections(platen.app, platen.shop);
  expect(printAccount).toMatchObject({ paymentRefusedAt: expect.any(Date), waitingForPayment: 1 });
  // Once the service accepts a payment again, the order can be reprinted.
  await refusePayments(false);
  await allowProbe();
  await runSubmitJobsNow(platen, waiting);
  await untilPrintOrder(platen, waiting, isConfirmed);
  await performManualAction(platen.app, platen.shop, {
    order: order.id,
    action: 'print-again',
    printOrder: null,
    by: 'merchant',
  });
  await untilPrintOrder(platen, order, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
  expect(await codes(order)).toEqual([]);
});
