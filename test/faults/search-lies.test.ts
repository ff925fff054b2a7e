import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Holds } from '../../src/database/entities/orders.ts';
import { PrintOrders, SubmitAttempts, type SubmitAttempt } from '../../src/database/entities/print-orders.ts';
import { submitDirect } from '../../src/orders/submit/submit-direct.ts';
import { openSubmitScope } from '../../src/orders/submit/submit-scope.ts';
import { PrintServiceError } from '../../src/print/errors.ts';
import type { OrderOf } from '../orders/privacy/add-customer-order.ts';
import { openScriptedPrint, type ScriptedPrint } from './scripted-print.ts';

const HOUR_MS = 3_600_000;
type Answer = ReturnType<ScriptedPrint['answer']>;
let print: ScriptedPrint;
let control: OrderOf;

beforeAll(async () => {
  print = await openScriptedPrint();
  control = await print.add({ state: 'submitted', serviceOrderId: 'control', confirmedAt: new Date() });
});
afterAll(() => print.close());
beforeEach(() => void (print.calls.length = 0));

const record = (id: string, orderReferenceId: string) => ({ id, orderReferenceId, orderType: 'order' });
const orders = (...records: object[]) => ({ body: JSON.stringify({ orders: records }) });

/**
 * Adds a print order whose create request has an unclear outcome. After one more search that shows a control but not the order, Platen
 * concludes that the order is absent and may send it again.
 */
async function addUncertain(): Promise<OrderOf & { attempt: () => Promise<SubmitAttempt> }> {
  const begunAt = new Date(Date.now() - HOUR_MS);
  const order = await print.add({ state: 'uncertain', submitWay: 'direct', confirmStartedAt: begunAt });
  const { id: printOrderId } = order.printOrder;
  const unclear = { orderType: 'order', bodySha256: 'body', outcome: 'unclear', absentSearches: 2 } as const;
  await print.app.db.manager.insert(SubmitAttempts, { printOrderId, attempt: 1, begunAt, ...unclear });
  return { ...order, attempt: () => print.app.db.manager.findOneByOrFail(SubmitAttempts, { printOrderId }) };
}

async function settle({ printOrder }: OrderOf): Promise<unknown> {
  const scope = await openSubmitScope(print.app, printOrder.id);
  if (!scope) throw new Error('the print order cannot be opened');
  return submitDirect(scope).catch((error: unknown) => error);
}

const stateOf = async ({ printOrder: { id } }: OrderOf) =>
  (await print.app.db.manager.findOneByOrFail(PrintOrders, { id })).state;

describe('a create request without a response', () => {
  test('a search that shows a known order, but not the order whose create request got no response, proves that this order is absent', async () => {
    print.answer = () => orders(record('control', control.printOrder.reference));
    const order = await addUncertain();
    expect(await settle(order)).toBeUndefined();
    expect(await stateOf(order)).toBe('quoted');
    expect(await order.attempt()).toMatchObject({ outcome: 'absent' });
  });

  test.each<[string, (own: string, known: string) => Answer]>([
    ['shows nothing at all', () => orders()],
    [
      'shows only orders that Platen did not search for',
      () => orders(record('1', 'another'), record('2', 'and-another')),
    ],
    [
      "shows this order's reference in uppercase",
      (own, known) => orders(record('c', known), record('1', own.toUpperCase())),
    ],
    ['shows the known reference in uppercase', (_own, known) => orders(record('c', known.toUpperCase()))],
    ['shows an order without a reference', () => orders({ id: '1' })],
  ])(
    'an order whose create request got no response is held, and not sent again, if the search %s',
    async (_what, lie) => {
      const order = await addUncertain();
      print.answer = () => lie(order.printOrder.reference, control.printOrder.reference);
      expect(await settle(order)).toBeUndefined();
      expect(await stateOf(order)).toBe('held');
      const { id: printOrderId } = order.printOrder;
      expect(await print.app.db.manager.findBy(Holds, { printOrderId })).toMatchObject([{ code: 'outcome_unknown' }]);
      expect(await order.attempt()).toMatchObject({ outcome: 'unclear', absentSearches: 2 });
      expect(new Set(print.calls)).toEqual(new Set(['POST /v4/orders:search']));
    },
  );

  test.each<[string, Answer]>([
    ['gets 500', { status: 500, body: '{}' }],
    ['gets a truncated response', { body: '{"orders":[{"id":"contr' }],
    ['gets a response without a list of orders', { body: '{"orders":null}' }],
    ['gets a record without an ID', { body: '{"orders":[{"orderReferenceId":"plabcd"}]}' }],
    // This case must be last, because all later requests with the key wait after a 429 response.
    ['gets 429', { status: 429, body: '{}' }],
  ])('an order whose create request got no response stays unchanged if the search %s', async (_what, answer) => {
    const order = await addUncertain();
    print.answer = () => answer;
    expect(await settle(order)).toBeInstanceOf(PrintServiceError);
    expect(await stateOf(order)).toBe('uncertain');
    expect(await order.attempt()).toMatchObject({ outcome: 'unclear', absentSearches: 2 });
    expect(new Set(print.calls)).toEqual(new Set(['POST /v4/orders:search']));
  });
});
