import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PrintOrders, type PrintOrder } from '../../src/database/entities/print-orders.ts';
import { PrintAccounts } from '../../src/database/entities/shops.ts';
import { auditPrintAccount, type AuditReport } from '../../src/orders/follow/audit-print-account.ts';
import { makeReference } from '../../src/orders/facts/make-reference.ts';
import { openBody } from '../../src/orders/facts/recipient-column.ts';
import type { Order } from '../../src/print/current/objects.ts';
import { readInstallation } from '../../src/shops/install/installation.ts';
import { findOrMakePrintAccount } from '../../src/shops/print-account/print-account.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../helpers/platen.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { changeLink, forgetPrinting, injectFaults, printOrdersOf, untilPrintOrder, untilQuiet } from './submitting.ts';

let platen: Platen;

beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
});
afterAll(() => platen.stop());
afterEach(async () => {
  await platen.control('print', 'POST', '/reset');
  // What a test printed is not in the days that the next one looks at.
  await platen.app.db.query(`update print_orders set confirmed_at = confirmed_at - interval '30 days'`);
});

const CLEAN = { severalOrders: [], unknownOrders: [], strayOrders: [], missingOrders: [] };
/** A product that the service makes apart from others, as a connected order. */
const MADE_APART = 'phonecase_apple_iphone-13promax_flexi_transparent_satin';
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

function audit(): Promise<AuditReport> {
  const { printAccountId } = platen.shop;
  if (printAccountId === null) throw new Error('The demo shop has no print account.');
  return auditPrintAccount(platen.app, { accountId: printAccountId });
}

/** An order that is at the print service; settled: longer than the quiet time. */
async function print(skus: Record<string, number>): Promise<{ order: PlacedOrder; printOrder: PrintOrder }> {
  const order = await platen.placeSkus(skus);
  const { id } = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  // The webhook of its routing too: it would have an order planned that a test has made forget its print order.
  await untilIdle(platen.app);
  await platen.app.db.manager.update(PrintOrders, { id }, { confirmedAt: AN_HOUR_AGO });
  return { order, printOrder: await platen.app.db.manager.findOneByOrFail(PrintOrders, { id }) };
}

/** `POST /v3/orders` with the account's key and what the print order stands for, past the app. */
function createBeside(printOrder: PrintOrder, change: { orderReferenceId?: string; orderType?: 'order' | 'draft' }) {
  const body = { ...openBody(platen.app, printOrder), orderType: 'order' as const, ...change };
  return platen.app.print.withKey('sandbox-key', { extendedCalls: true }).createOrder(body);
}

const holdsOf = async ({ id }: PlacedOrder) => (await platen.listed(id)).holds;
const codesOf = async (order: PlacedOrder) => (await holdsOf(order)).map(({ code }) => code);
const cancelAtService = ({ id }: Pick<Order, 'id'>) =>
  platen.control('print', 'POST', `/orders/${id}/advance`, { to: 'canceled' });

test('an account where all is as it should be has nothing held: drafts, cancelled orders and connected parts do not count', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  await createBeside(printOrder, { orderType: 'draft' });
  await cancelAtService(await createBeside(printOrder, {}));
  await changeLink(platen, 'CARDS', { productUid: MADE_APART });
  const { order: split } = await print({ 'POSTER-30X40': 1, CARDS: 1 });
  expect((await platen.printedFor(split.name)).map(({ connectedOrderIds }) => connectedOrderIds?.length)).toEqual([
    2, 2,
  ]);
  expect(await audit()).toMatchObject({ ...CLEAN, orders: 4 });
  expect([...(await holdsOf(order)), ...(await holdsOf(split))]).toEqual([]);
});

test('a second live order under a reference is held once, however often it is audited, and printing goes on', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  const second = await createBeside(printOrder, {});
  expect(await codesOf(order)).toEqual([]);
  expect(await audit()).toMatchObject({ ...CLEAN, orders: 2, severalOrders: [printOrder.reference] });
  await Promise.all([audit(), audit()]);
  const [hold, ...others] = await holdsOf(order);
  expect(hold).toMatchObject({ code: 'several_orders' });
  expect(hold?.message).toContain(printOrder.serviceOrderId);
  expect(hold?.message).toContain(second.id);
  expect(others).toEqual([]);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ state: 'submitted' }]);
  expect((await platen.timeline(order.id)).filter((kind) => kind === 'held')).toHaveLength(1);
});

test('a live order beside the one that was cancelled is not ours and is held', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  const second = await createBeside(printOrder, {});
  await cancelAtService({ id: printOrder.serviceOrderId ?? '' });
  await platen.untilState(order.id, 'held');
  expect(await audit()).toMatchObject({ ...CLEAN, unknownOrders: [printOrder.reference] });
  const hold = (await holdsOf(order)).find(({ code }) => code === 'unknown_print_order');
  expect(hold?.message).toContain(second.id);
});

test('an order that turns up under a reference that is closed for good is held, also when the sale is cancelled', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/cancel`);
  const { id } = await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilQuiet(platen, order);
  await createBeside(printOrder, {});
  expect(await audit()).toMatchObject(CLEAN);
  await platen.app.db.manager.update(PrintOrders, { id }, { fencedAt: AN_HOUR_AGO });
  expect(await audit()).toMatchObject({ ...CLEAN, unknownOrders: [printOrder.reference] });
  expect(await codesOf(order)).toEqual(['unknown_print_order']);
});

test('a print order that the database has lost is held at its sale, once', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  await forgetPrinting(platen, order);
  expect(await audit()).toMatchObject({ ...CLEAN, unknownOrders: [printOrder.reference] });
  await Promise.all([audit(), audit()]);
  const [hold, ...others] = await holdsOf(order);
  expect(hold).toMatchObject({ code: 'unknown_print_order' });
  expect(hold?.message).toContain(printOrder.reference);
  expect(others).toEqual([]);
  expect(await platen.timeline(order.id)).toEqual(['held']);
});

test('a later part that the database does not know is held at its sale beside the part that it knows', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  const { code, referenceKey } = await readInstallation(platen.app);
  // The number in a reference is for the reader's eye: what it proves is found under another one too.
  const about = { shop: platen.shop.domain, shopifyOrderId: order.id, orderName: '#renamed' };
  const reference = makeReference({ installation: code, key: referenceKey, ...about }, 7, 'current');
  await createBeside(printOrder, { orderReferenceId: reference });
  expect(await audit()).toMatchObject({ ...CLEAN, unknownOrders: [reference] });
  expect(await codesOf(order)).toEqual(['unknown_print_order']);
});

test('a reference of this installation that leads to no sale is reported, and nothing is held', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  const { code } = await readInstallation(platen.app);
  const stray = `pl${code}-9999-1-aaaaaaaaaaaa`;
  await createBeside(printOrder, { orderReferenceId: stray });
  await createBeside(printOrder, { orderReferenceId: 'plzzzzz-9999-1-aaaaaaaaaaaa' });
  expect(await audit()).toMatchObject({ ...CLEAN, orders: 2, strayOrders: [stray] });
  expect(await codesOf(order)).toEqual([]);
});

test('an order that the service has lost is held once it is older than the quiet time', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  const { id } = printOrder;
  await platen.control('print', 'POST', '/reset');
  await platen.app.db.manager.update(PrintOrders, { id }, { confirmedAt: new Date() });
  expect(await audit()).toMatchObject(CLEAN);
  expect(await codesOf(order)).toEqual([]);
  await platen.app.db.manager.update(PrintOrders, { id }, { confirmedAt: AN_HOUR_AGO });
  expect(await audit()).toMatchObject({ ...CLEAN, missingOrders: [printOrder.reference] });
  await audit();
  const [hold, ...others] = await holdsOf(order);
  expect(hold).toMatchObject({ code: 'order_missing' });
  expect(hold?.message).toContain(printOrder.serviceOrderId);
  expect(others).toEqual([]);
});

test('a service that does not answer the search is no evidence: nothing is held', async () => {
  const { order } = await print({ 'POSTER-30X40': 1 });
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
  await expect(audit()).rejects.toMatchObject({ outcome: 'unavailable' });
  expect(await codesOf(order)).toEqual([]);
});

test('the daily task audits the other accounts when the key of one is refused', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  await createBeside(printOrder, {});
  const { id } = await findOrMakePrintAccount(platen.app, 'a-key-that-is-refused');
  // Before the account of the demo shop.
  await platen.app.db.manager.update(PrintAccounts, { id }, { id: 0 });
  await platen.app.jobs.enqueue(platen.app.db, 'audit_print_accounts', {});
  await expect.poll(() => codesOf(order), { timeout: 60_000 }).toEqual(['several_orders']);
});
