import { afterEach, expect, test } from 'vitest';
import { PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import { auditPrintAccount, type AuditReport } from '../../../src/orders/follow/audit-print-account.ts';
import { decryptBody } from '../../../src/orders/facts/recipient-column.ts';
import type { Order } from '../../../src/print/current/objects.ts';
import { readInstallation } from '../../../src/shops/install/installation.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { act } from '../changes/manual-actions.ts';
import {
  changeLink,
  deletePrintingData,
  injectFaults,
  printOrdersOf,
  untilPrintOrder,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null });
afterEach(async () => {
  await platen.control('print', 'POST', '/reset');
  // Backdates this test's orders, so that the next audit does not cover them.
  await platen.app.db.query(`update print_orders set confirmed_at = confirmed_at - interval '30 days'`);
});

const CLEAN = { severalOrders: [], unknownOrders: [], strayOrders: [], missingOrders: [] };
/** A product that the service prints at another facility, as a connected order. */
const OTHER_FACILITY = 'phonecase_apple_iphone-13promax_flexi_transparent_satin';
const hourAgo = (): Date => new Date(platen.app.clock.now().getTime() - 3_600_000);

function audit(): Promise<AuditReport> {
  const { printAccountId } = platen.shop;
  if (printAccountId === null) throw new Error('The demo shop has no print account.');
  return auditPrintAccount(platen.app, { accountId: printAccountId });
}

/** Places an order and waits until it has been at the print service for longer than the quiet time. */
async function print(skus: Record<string, number>): Promise<{ order: PlacedOrder; printOrder: PrintOrder }> {
  const order = await platen.placeSkus(skus);
  const { id } = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  // Also waits for the webhook about the routed fulfillment order. Otherwise, that webhook would cause a plan after a test has deleted the
  // print order's rows.
  await untilIdle(platen.app);
  await platen.app.db.manager.update(PrintOrders, { id }, { confirmedAt: hourAgo() });
  return { order, printOrder: await platen.app.db.manager.findOneByOrFail(PrintOrders, { id }) };
}

/** Creates the same order at the service with the account's key, without Platen's knowledge. */
function createDuplicateAtService(
  printOrder: PrintOrder,
  change: { orderReferenceId?: string; orderType?: 'order' | 'draft' },
) {
  const body = { ...decryptBody(platen.app, printOrder), orderType: 'order' as const, ...change };
  return platen.app.print.withKey('sandbox-key', { extendedCalls: true }).createOrder(body);
}

const holdsOf = async ({ id }: PlacedOrder) => (await platen.listed(id)).holds;
const codesOf = async (order: PlacedOrder) => (await holdsOf(order)).map(({ code }) => code);
const cancelAtService = ({ id }: Pick<Order, 'id'>) =>
  platen.control('print', 'POST', `/orders/${id}/advance`, { to: 'canceled' });

test('an audit of a consistent account holds no order, even with drafts, canceled orders and connected parts', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  await createDuplicateAtService(printOrder, { orderType: 'draft' });
  await cancelAtService(await createDuplicateAtService(printOrder, {}));
  await changeLink(platen, 'CARDS', { productUid: OTHER_FACILITY });
  const { order: split } = await print({ 'POSTER-30X40': 1, CARDS: 1 });
  expect((await platen.printedFor(split.name)).map(({ connectedOrderIds }) => connectedOrderIds?.length)).toEqual([
    2, 2,
  ]);
  expect(await audit()).toMatchObject({ ...CLEAN, orders: 4 });
  expect([...(await holdsOf(order)), ...(await holdsOf(split))]).toEqual([]);
});

test('a second live order with the same reference causes one hold, and printing continues', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  const second = await createDuplicateAtService(printOrder, {});
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

test('a print order missing from the database causes one hold on its storefront order', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  await deletePrintingData(platen, order);
  expect(await audit()).toMatchObject({ ...CLEAN, unknownOrders: [printOrder.reference] });
  await Promise.all([audit(), audit()]);
  const [hold, ...others] = await holdsOf(order);
  expect(hold).toMatchObject({ code: 'unknown_print_order' });
  expect(hold?.message).toContain(printOrder.reference);
  expect(others).toEqual([]);
  expect(await platen.timeline(order.id)).toEqual(['held']);
});

test('"Continue" is refused until the unknown print order is canceled, because its units would be printed twice', async () => {
  const { order } = await print({ 'POSTER-30X40': 1 });
  await deletePrintingData(platen, order);
  await audit();
  await expect(act(platen, order, 'continue')).rejects.toMatchObject({ code: 'unknown_print_order' });
  expect(await codesOf(order)).toEqual(['unknown_print_order']);
  for (const one of await platen.printedFor(order.name)) await cancelAtService(one);
  await act(platen, order, 'continue');
  await untilIdle(platen.app);
  expect(await codesOf(order)).toEqual(['service_canceled']);
});

test('a reference of this installation that belongs to no storefront order is reported, and no order is held', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  const { code } = await readInstallation(platen.app);
  const stray = `pl${code}-9999-1-aaaaaaaaaaaa`;
  await createDuplicateAtService(printOrder, { orderReferenceId: stray });
  await createDuplicateAtService(printOrder, { orderReferenceId: 'plzzzzz-9999-1-aaaaaaaaaaaa' });
  expect(await audit()).toMatchObject({ ...CLEAN, orders: 2, strayOrders: [stray] });
  expect(await codesOf(order)).toEqual([]);
});

test('an order that the service no longer shows is held once the order is older than the quiet time', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  const { id } = printOrder;
  await platen.control('print', 'POST', '/reset');
  await platen.app.db.manager.update(PrintOrders, { id }, { confirmedAt: platen.app.clock.now() });
  expect(await audit()).toMatchObject(CLEAN);
  expect(await codesOf(order)).toEqual([]);
  await platen.app.db.manager.update(PrintOrders, { id }, { confirmedAt: hourAgo() });
  expect(await audit()).toMatchObject({ ...CLEAN, missingOrders: [printOrder.reference] });
  await audit();
  const [hold, ...others] = await holdsOf(order);
  expect(hold).toMatchObject({ code: 'order_missing' });
  expect(hold?.message).toContain(printOrder.serviceOrderId);
  expect(others).toEqual([]);
});

test('no order is held if the search fails, because a failed search proves nothing', async () => {
  const { order } = await print({ 'POSTER-30X40': 1 });
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
  await expect(audit()).rejects.toMatchObject({ outcome: 'unavailable' });
  expect(await codesOf(order)).toEqual([]);
});

test('the daily task audits the other accounts even if the key of one account is refused', async () => {
  const { order, printOrder } = await print({ 'POSTER-30X40': 1 });
  await createDuplicateAtService(printOrder, {});
  const { id } = await findOrCreatePrintAccount(platen.app, 'a-key-that-is-refused');
  // This ID sorts the account before the demo shop's account.
  await platen.app.db.manager.update(PrintAccounts, { id }, { id: 0 });
  await platen.app.jobs.enqueue(platen.app.db, 'audit_print_accounts', {});
  await eventually(() => codesOf(order)).toEqual(['several_orders']);
});
