import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintOrderLines, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { act } from '../changes/manual-actions.ts';
import { liveOrders } from '../submit/earlier-interface.ts';
import { atService, untilPrintOrder, untilNoDueJobs } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;
beforeAll(async () => {
  const settings = { submit: 'direct', extendedCalls: false };
  platen = await startPlaten({ advanceSeconds: null, extended: false, settings });
}, 120_000);
afterAll(() => platen.stop());

const BY_EVENT = " (Only an event reported this. Check the print service's dashboard first.)";

test('if an account’s responses do not show items, an event about a failed item holds that item, and the other items are fulfilled', async () => {
  const order = await platen.placeSkus({ 'MUG-11OZ': 1, 'TSHIRT-M': 1 });
  const printOrder = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  const [live] = await liveOrders(platen, order);
  const advance = (to: string, more: object = {}) =>
    platen.control('print', 'POST', `/orders/${live?.id}/advance`, { to, ...more });
  const mug = await platen.app.db.manager.findOneByOrFail(PrintOrderLines, {
    printOrderId: printOrder.id,
    sku: 'MUG-11OZ',
  });
  const holds = async () => (await platen.listed(order.id)).holds.map(({ code, message }) => ({ code, message }));
  const items = [mug.itemReferenceId];

  await advance('on_hold', { items, comment: 'Low resolution' });
  const message = `The print service reports "on hold" for MUG-11OZ, with the comment: Low resolution${BY_EVENT}`;
  await eventually(holds).toEqual([{ code: 'service_on_hold', message }]);
  await advance('passed', { items });
  await eventually(holds).toEqual([]);

  await advance('failed', { items, comment: 'No such color' });
  const failed = {
    code: 'service_failed',
    message: `The print service reports "failed" for MUG-11OZ, with the comment: No such color${BY_EVENT}`,
  };
  await eventually(holds).toEqual([failed]);
  await advance('shipped');
  const fulfillments = async () => (await platen.storeOrder(order.id)).fulfillments.map(({ lines }) => lines);
  await eventually(fulfillments).toMatchObject([[{ sku: 'TSHIRT-M', quantity: 1 }]]);
  await untilNoDueJobs(platen, order);
  expect(await holds()).toEqual([failed]);
  expect(await atService(platen, order)).toHaveLength(1);
});

/** Sends a forged event with a status for one line of a print order. */
async function forge(printOrder: PrintOrder, sku: string, status: string): Promise<void> {
  const where = { printOrderId: printOrder.id, sku };
  const { itemReferenceId } = await platen.app.db.manager.findOneByOrFail(PrintOrderLines, where);
  const { addresses } = (await platen.control('print', 'GET', '/webhooks')) as { addresses: { url: string }[] };
  const ids = { orderId: printOrder.serviceOrderId, storeId: null, orderReferenceId: printOrder.reference };
  const event = { id: `os_forged_${sku}_${status}`, event: 'order_item_status_updated', itemReferenceId, status };
  const answer = await fetch(addresses[0]?.url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ids, ...event, comment: '', created: platen.app.clock.now().toISOString() }),
  });
  expect(answer.status).toBe(200);
}

test('a forged event about a failed item causes no reprint, and its hold ends once the item ships', async () => {
  const order = await platen.placeSkus({ 'MUG-11OZ': 1, 'TSHIRT-M': 1 });
  const printOrder = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  const codes = async () => (await platen.listed(order.id)).holds.map(({ code }) => code);
  await forge(printOrder, 'MUG-11OZ', 'failed');
  await eventually(codes).toEqual(['service_failed']);
  const [live] = await liveOrders(platen, order);
  const advance = (to: string) => platen.control('print', 'POST', `/orders/${live?.id}/advance`, { to });
  await advance('printed');
  await untilNoDueJobs(platen, order);
  const refused = act(platen, order, 'print-again');
  await expect(refused).rejects.toMatchObject({ code: 'nothing_to_print_again' });
  await expect(refused).rejects.toThrow(
    "Check the print service's dashboard, then choose this print order by its reference",
  );
  await untilNoDueJobs(platen, order);
  expect(await atService(platen, order)).toHaveLength(1);

  await advance('shipped');
  await eventually(codes).toEqual([]);
  await platen.untilState(order.id, 'fulfilled');
  expect(await platen.timeline(order.id)).toContain('item_goes_on');
  expect(await atService(platen, order)).toHaveLength(1);
});
