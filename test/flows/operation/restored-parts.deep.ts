import { afterEach, beforeEach, expect, test } from 'vitest';
import { PrintOrderLines, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { decryptBody } from '../../../src/orders/facts/recipient-column.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { act, codesOf } from '../changes/manual-actions.ts';
import { advance, runScheduledJobs } from '../changes/order-stages.ts';
import {
  atService,
  injectFaults,
  placeDuplicate,
  requestReplan,
  printOrdersOf,
  stockAt,
  untilPrintOrder,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;

beforeEach(async () => void (platen = await startPlaten({ advanceSeconds: null })));
afterEach(() => platen.stop());

const isQuoted = ({ state }: PrintOrder) => state === 'quoted';
const statesOf = async (order: PlacedOrder) => (await printOrdersOf(platen, order)).map(({ state }) => state);

test('if someone accepts an order that also contains the lines of another part, that part is closed', async () => {
  await stockAt(platen, 'CARDS', 'own');
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 503 }]);
  const order = await platen.placeSkus({ CARDS: 1, 'MUG-11OZ': 1 });
  await eventually(() => statesOf(order)).toEqual(['quoted', 'quoted']);
  const first = await untilPrintOrder(platen, order, (one) => isQuoted(one) && one.part === 1);
  const second = await untilPrintOrder(platen, order, (one) => isQuoted(one) && one.part === 2);
  const items = [first, second].flatMap((printOrder) => decryptBody(platen.app, printOrder).items);
  const placed = await placeDuplicate(platen, first, { items });
  await injectFaults(platen, []);
  await runScheduledJobs(platen, 3);
  expect((await codesOf(platen, order)).toSorted()).toEqual(['items_differ', 'unknown_print_order']);
  // "Continue" is refused for the second part until the hold for the first part's items is resolved.
  await expect(act(platen, order, 'continue', second.reference)).rejects.toMatchObject({ code: 'items_differ' });
  await act(platen, order, 'continue');
  await runScheduledJobs(platen, 3);
  await requestReplan(platen, order);
  await runScheduledJobs(platen, 2);
  expect((await atService(platen, order)).map(({ id }) => id)).toEqual([placed.id]);
  expect(await codesOf(platen, order)).toEqual([]);
  const [kept, closed, ...others] = await printOrdersOf(platen, order);
  expect(others).toEqual([]);
  expect(kept).toMatchObject({ id: first.id, fencedAt: null, serviceOrderId: placed.id });
  expect(closed).toMatchObject({ closedReason: 'printed_in_another', fencedAt: expect.any(Date) });
  const lines = await platen.app.db.manager.findBy(PrintOrderLines, { printOrderId: first.id });
  expect(lines.map(({ quantity }) => quantity)).toEqual([1, 1]);
  await advance(platen, order, 'shipped');
  await platen.untilState(order.id, 'fulfilled');
});
