import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submitPrintOrder } from '../../src/orders/submit/submit-print-order.ts';
import {
  atService,
  attemptsOf,
  runSubmitJobsNow,
  printOrdersOf,
  untilPrintedOnce,
} from '../flows/submit/submit-helpers.ts';
import { afterwards, callOf, commitOf, openCrashLab } from './crash-points.ts';
import type { CrashLab, Moment, Point } from './crash-points.ts';

const CREATE = 'POST /v3/orders';
const CLAIM = /insert into submit_attempts/;
const RESULT = /update submit_attempts t set/;
const hasConnected = (moment: Moment): boolean => moment.side === 'service' && moment.when === 'connected';

/** A slow machine may need a long time to start a worker. */
const LONG_MS = 300_000;

let lab: CrashLab;
beforeAll(async () => {
  lab = await openCrashLab({ submit: 'direct' });
}, 180_000);
afterAll(() => lab.close());

const place = () => lab.platen.placeSkus({ 'POSTER-30X40': 1 });

/** Counts the create requests for an order, regardless of their outcome. */
async function countCreates(order: { id: string }): Promise<number> {
  const [printOrder] = await printOrdersOf(lab.platen, order);
  return lab.calls.filter(({ call, body }) => call === CREATE && body.includes(printOrder?.reference ?? '?')).length;
}

// One point of each kind. The simulator kills processes between any two steps. `creates` is the number of create requests that the worker sends, including requests that never arrive.
const POINTS: [where: string, how: Point['how'], isHere: () => Point['isHere'], creates: number][] = [
  ['is killed after its claim is committed', 'kill', () => commitOf(CLAIM, 'after'), 1],
  [
    'is killed once it has connected to the service',
    'kill',
    () => afterwards(commitOf(CLAIM, 'after'), hasConnected),
    1,
  ],
  ['is killed after writing the create request, which never arrives', 'kill', () => callOf(CREATE, 'request'), 2],
  ['is killed once the order is created, before it gets any response', 'kill', () => callOf(CREATE, 'done'), 1],
  ['is killed before the result is stored', 'kill', () => commitOf(RESULT, 'before'), 1],
  ['loses its connection before it learns that its claim was committed', 'cut', () => commitOf(CLAIM, 'after'), 1],
];

test('a separate worker submits the order that later searches use as a control', async () => {
  lab.work();
  await untilPrintedOnce(lab.platen, [await place()]);
});

describe('an order created directly is printed once, whatever happens to its worker', () => {
  test.each(POINTS)('the order is printed once if its worker %s', async (_where, how, isHere, creates) => {
    lab.work();
    const reached = lab.at({ isHere: isHere(), how });
    const order = await place();
    await reached;
    lab.work();
    await untilPrintedOnce(lab.platen, [order]);
    expect(await atService(lab.platen, order)).toMatchObject([
      { orderType: 'order', items: [{ quantity: 1, itemReferenceId: order.lines[0]?.id.split('/').at(-1) }] },
    ]);
    expect(await countCreates(order)).toBe(creates);
    expect((await lab.platen.listed(order.id)).holds).toEqual([]);
  });
});

test('a worker that is frozen for longer than the quiet time between its claim and its create request does not send that request', async () => {
  const { platen } = lab;
  const worker = lab.work();
  const frozen = lab.at({ isHere: commitOf(CLAIM, 'after'), how: 'freeze' });
  const order = await place();
  await frozen;
  // In the meantime, another worker proves that the order is absent and then sends the order.
  const settle = async (): Promise<unknown> => {
    const [printOrder] = await printOrdersOf(platen, order);
    if (printOrder && printOrder.confirmedAt === null)
      await submitPrintOrder(platen.app, { printOrderId: printOrder.id });
    return (await printOrdersOf(platen, order))[0]?.state;
  };
  await expect.poll(settle, { timeout: LONG_MS, interval: 300 }).toBe('submitted');
  expect(await attemptsOf(platen, order)).toMatchObject([{ outcome: 'absent' }, { outcome: 'done' }]);
  const noted = () => platen.app.db.query('select * from printed_lines order by line_item_hash');
  const before = await noted();

  const sent = lab.calls.length;
  worker.child.kill('SIGCONT');
  const endOfFirst = async () => (await attemptsOf(platen, order))[0]?.outcome;
  await expect.poll(endOfFirst, { timeout: 60_000 }).toBe('nothing_made');
  const isAtWork = () =>
    platen.app.db.query(
      `select from graphile_worker.jobs where queue_name = (select 'order:' || id from storefront_orders where shopify_order_id = $1) and locked_at is not null`,
      [order.id],
    );
  await expect.poll(isAtWork, { timeout: 60_000 }).toEqual([]);
  await runSubmitJobsNow(platen, order);
  await expect.poll(isAtWork, { timeout: 60_000 }).toEqual([]);
  expect(lab.calls.slice(sent).filter(({ call }) => call === CREATE)).toEqual([]);
  expect(await atService(platen, order)).toHaveLength(1);
  expect(await printOrdersOf(platen, order)).toMatchObject([
    { state: 'submitted', confirmStartedAt: expect.any(Date) },
  ]);
  // The frozen worker undoes only its own claim. The units that the other worker sent are still recorded as printed.
  expect(await noted()).toEqual(before);
});
