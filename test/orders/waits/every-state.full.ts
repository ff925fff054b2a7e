import { IsNull } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import {
  PrintOrders,
  ServiceOrders,
  type PrintOrder,
  type PrintOrderState,
} from '../../../src/database/entities/print-orders.ts';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import { readWaits } from '../../../src/orders/waits/read-waits.ts';
import type { PrintOutcome } from '../../../src/print/errors.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';
import { buyPlanned } from './buy-planned.ts';

/** The steps that call the print service, each named after its task. */
type OutsideStep = 'quote_order' | 'submit_print_order' | 'follow_print_order';

/** A print order in a state, just before a step that calls the print service. */
interface Situation {
  step: OutsideStep;
  set: Partial<PrintOrder>;
}

const SENT = { confirmStartedAt: new Date(), confirmedAt: new Date(), serviceOrderId: 'service-1' };
const DRAFT = { submitWay: 'draft', serviceOrderId: 'draft-1' } as const;
const DIRECT = { submitWay: 'direct' } as const;
const submit = (set: Partial<PrintOrder>): Situation => ({ step: 'submit_print_order', set });
const follow = (set: Partial<PrintOrder> = {}): Situation => ({ step: 'follow_print_order', set: { ...SENT, ...set } });
const closing = { closedAt: new Date(), closedReason: 'changed' };
const canceling = { cancelRequestedAt: new Date() };

/** The situations of each state. A new state without an entry here does not compile. */
const SITUATIONS: Record<PrintOrderState, Situation[]> = {
  planned: [{ step: 'quote_order', set: { bodySha256: null } }],
  quoted: [submit({ submitWay: 'draft' }), submit(DIRECT), submit({ ...DRAFT, ...closing })],
  submitting: [
    submit({ submitWay: 'draft' }),
    submit(DRAFT),
    submit({ ...DRAFT, confirmStartedAt: new Date() }),
    submit({ ...DIRECT, confirmStartedAt: new Date() }),
    submit({ ...DRAFT, ...canceling }),
  ],
  uncertain: [submit({ ...DIRECT, confirmStartedAt: new Date() }), submit({ ...DIRECT, ...canceling })],
  submitted: [follow(), submit({ ...SENT, ...canceling })],
  in_production: [follow(), submit({ ...SENT, ...DIRECT, ...canceling })],
  shipped: [follow()],
  shipped_no_tracking: [follow()],
  held: [follow(), submit({ ...DRAFT, ...closing })],
  fulfilled: [submit({ ...SENT, ...canceling })],
  canceled: [submit({ ...SENT, ...closing })],
  failed: [submit({ ...SENT, ...closing })],
};

const all = (fault: object) => [{ rate: 1, kind: 'status', ...fault }];
/**
 * The faults that cause each outcome. Outcomes that make Platen pause its calls come last, so that the pause does not affect other
 * outcomes.
 */
const OUTCOMES: Record<PrintOutcome, object[]> = {
  refused: all({ status: 400 }),
  not_found: all({ status: 404 }),
  account_refused: all({ status: 401 }),
  nothing_made: all({ status: 429 }),
  unclear: all({ status: 500 }),
  unavailable: all({ kind: 'reset' }),
};
/** The requests of a submit step. Each request may fail alone. */
const CALLS = [
  { method: 'POST', path: '/v3/orders' },
  { method: 'PATCH', path: '/v4/orders' },
  { method: 'GET', path: '/v4/orders' },
  { method: 'POST', path: '/v4/orders:search' },
];

const ROUNDS = 5;
const PATIENCE_SECONDS = 16 * 60;
const OVER: readonly PrintOrderState[] = ['fulfilled', 'canceled', 'failed'];

let shop: TestShop;
let storefrontOrderId: string;
let print: PrintOrder;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

/** Plans and quotes one order, without submitting it. */
async function prepare(): Promise<void> {
  const { app } = shop;
  ({ id: storefrontOrderId } = (await buyPlanned(shop)).storefrontOrder);
  await toTasks(app).quote_order({ storefrontOrderId });
  print = await app.db.manager.findOneByOrFail(PrintOrders, { storefrontOrderId, state: 'quoted' });
  await app.db.manager.update(PrintAccounts, { state: 'working' }, { orderGetSeenAt: new Date() });
}

/** Puts the quoted print order into this situation, and removes its attempts, waits, holds and other records. */
async function putInto(state: PrintOrderState, { set }: Situation): Promise<void> {
  const { manager } = shop.app.db;
  const { id: printOrderId } = print;
  for (const table of ['submit_attempts', 'service_orders', 'step_waits', 'holds'])
    await manager.query(
      `delete from ${table} where ${table === 'holds' ? 'storefront_order_id' : 'print_order_id'} = $1`,
      [table === 'holds' ? storefrontOrderId : printOrderId],
    );
  await manager.query('delete from printed_lines');
  await manager.query(`update print_accounts set state = 'working', refused_at = null`);
  const { id: _id, createdAt: _made, updatedAt: _changed, ...quoted } = print;
  await manager.update(PrintOrders, { id: printOrderId }, { ...quoted, ...set, state } as never);
  if (set.serviceOrderId) {
    const row = { printOrderId, printAccountId: print.printAccountId ?? 0, serviceOrderId: set.serviceOrderId };
    await manager.insert(ServiceOrders, { ...row, role: 'chosen', seenAt: new Date(Date.now() - 3_600_000) });
  }
  if (set.submitWay === 'direct' && set.confirmStartedAt)
    await manager.query(
      `insert into submit_attempts (print_order_id, attempt, order_type, body_sha256, begun_at, outcome) values ($1, 1, 'order', 'body', now() - interval '1 hour', 'unclear')`,
      [printOrderId],
    );
}

/** Runs the step as its job would, after deleting all jobs. */
async function take({ step }: Situation): Promise<void> {
  await shop.app.db.query('delete from graphile_worker._private_jobs');
  const tasks = toTasks(shop.app);
  if (step === 'quote_order') await tasks.quote_order({ storefrontOrderId });
  else await tasks[step]({ printOrderId: print.id });
}

/** Returns the order's open holds with their reasons, and its waits with a time and a message. */
async function readNextSteps(): Promise<{ held: string[]; waits: string[]; isOver: boolean }> {
  const { manager } = shop.app.db;
  const current = await manager.findOneByOrFail(PrintOrders, { id: print.id });
  const holds = await manager.findBy(Holds, { storefrontOrderId, resolvedAt: IsNull() });
  const waits = (await readWaits(shop.app, manager, [storefrontOrderId])).get(storefrontOrderId) ?? [];
  return {
    held: holds.map(({ code, message }) => `${code}: ${message}`),
    waits: waits.flatMap(({ message, nextAt }) => (nextAt !== null && message !== '' ? [`${nextAt}: ${message}`] : [])),
    isOver:
      current.fencedAt !== null ||
      (OVER.includes(current.state) && current.cancelRequestedAt === null && current.closedAt === null),
  };
}

/** Repeats the step until a hold must have opened. Returns the rounds without a next step, and whether there is a hold in the end. */
async function walk(
  state: PrintOrderState,
  situation: Situation,
  faults: object[],
): Promise<{ unseen: number[]; isHeld: boolean }> {
  await shop.inPrint('/faults', []);
  shop.resetClock();
  await putInto(state, situation);
  await shop.inPrint('/faults', faults);
  const unseen: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    if (round === ROUNDS) shop.later(PATIENCE_SECONDS);
    await take(situation);
    const { held, waits, isOver } = await readNextSteps();
    if (!isOver && held.length + waits.length === 0) unseen.push(round);
  }
  const { held, isOver } = await readNextSteps();
  return { unseen, isHeld: isOver || held.length > 0 };
}

const nameOf = (state: PrintOrderState, { step, set }: Situation) => `${state}, ${step}, ${Object.keys(set).join(' ')}`;

test.each(Object.entries(OUTCOMES))(
  'in any state, a print order has a next step after the service responds with "%s", and is held if the response stays the same',
  async (outcome, faults) => {
    if (outcome === Object.keys(OUTCOMES)[0]) await prepare();
    const walks: object[] = [];
    for (const [state, situations] of Object.entries(SITUATIONS) as [PrintOrderState, Situation[]][])
      for (const situation of situations)
        walks.push({ name: nameOf(state, situation), ...(await walk(state, situation, faults)) });
    expect(walks.filter((one) => !isSeen(one))).toEqual([]);
  },
);

test('an order always has a next step while any single request keeps failing', async () => {
  const walks: object[] = [];
  for (const situation of [submit({ submitWay: 'draft' }), submit(DIRECT)])
    for (const call of CALLS)
      for (const [outcome, faults] of Object.entries(OUTCOMES)) {
        await shop.inPrint('/reset', {});
        const ofCall = faults.map((fault) => ({ ...fault, ...call }));
        const name = `${nameOf('quoted', situation)}, ${call.method} ${call.path} ${outcome}`;
        const { unseen, isHeld } = await walk('quoted', situation, ofCall);
        const { confirmedAt } = await shop.app.db.manager.findOneByOrFail(PrintOrders, { id: print.id });
        walks.push({ name, unseen, isHeld: isHeld || confirmedAt !== null });
      }
  expect(walks.filter((one) => !isSeen(one))).toEqual([]);
});

function isSeen(one: object): boolean {
  return 'unseen' in one && (one.unseen as number[]).length === 0 && 'isHeld' in one && one.isHeld === true;
}
