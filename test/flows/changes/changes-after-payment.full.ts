import { beforeAll, expect, test } from 'vitest';
import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { CHANGES, STATES, TABLE, type Change, type Outcome, type State } from './changes-after-payment.ts';
import { injectFaults, inStore, printOrdersOf, requestReplan, stockAt } from '../submit/submit-helpers.ts';
import { act, codesOf } from './manual-actions.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null });
beforeAll(async () => {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  for (const { sku, variantId } of variants) variantIds.set(sku, variantId);
  await stockAt(platen, MERCHANT_SKU, 'own');
});

const variantIds = new Map<string, string>();

/**
 * The SKU that is stocked at the merchant's location. The store lets only fulfillment orders for this SKU be held or moved while they are
 * being printed.
 */
const MERCHANT_SKU = 'CARDS';
/** After this time, all work about a change is done. It is shorter than the time for which tracking codes are gathered. */
const SETTLED_MS = 600_000;
type Units = Record<string, number>;
const USUAL: Units = { 'MUG-11OZ': 2, 'MUG-15OZ': 1 };
const OWN_STOCK: Units = { [MERCHANT_SKU]: 2 };

const control = (order: PlacedOrder, endpoint: string, body: object = {}) => inStore(platen, order, endpoint, body);
const line = (order: PlacedOrder, sku: string) => order.lines.find((one) => one.sku === sku)?.id;
const edit = (order: PlacedOrder, sku: string, quantity: number) =>
  control(order, 'edit', { remove: [{ id: line(order, sku), quantity }] });
const add = (order: PlacedOrder, sku: string, quantity: number) =>
  control(order, 'edit', { add: [{ variantId: variantIds.get(sku), quantity }] });

interface ChangeCase {
  lines?: Units;
  /** The units that the order should contain after the change. */
  wants: Units;
  act: (order: PlacedOrder) => Promise<unknown>;
}

const ELSEWHERE = {
  firstName: 'Ada',
  lastName: 'Miller',
  address1: '1 Elm Street',
  city: 'Springfield',
  provinceCode: 'IL',
  countryCode: 'US',
  zip: '62701',
};

const changeCases: Record<Change, ChangeCase> = {
  quantityDown: { wants: { ...USUAL, 'MUG-11OZ': 1 }, act: (order) => edit(order, 'MUG-11OZ', 1) },
  lineRemoved: { wants: { 'MUG-11OZ': 2 }, act: (order) => edit(order, 'MUG-15OZ', 1) },
  lineAdded: { wants: { ...USUAL, 'TSHIRT-M': 1 }, act: (order) => add(order, 'TSHIRT-M', 1) },
  quantityUp: { wants: { ...USUAL, 'MUG-11OZ': 3 }, act: (order) => add(order, 'MUG-11OZ', 1) },
  addressChanged: { wants: USUAL, act: (order) => control(order, 'address', { shippingAddress: ELSEWHERE }) },
  partialRefund: {
    wants: { ...USUAL, 'MUG-11OZ': 1 },
    act: (order) => control(order, 'refund', { lines: [{ id: line(order, 'MUG-11OZ'), quantity: 1 }] }),
  },
  fullRefund: { wants: {}, act: (order) => control(order, 'refund') },
  canceled: { wants: {}, act: (order) => control(order, 'cancel') },
  cancellationRequested: { wants: {}, act: (order) => control(order, 'request-cancellation') },
  editRequested: {
    wants: USUAL,
    act: (order) => control(order, 'request-edit', { lines: [{ id: line(order, 'MUG-11OZ'), quantity: 1 }] }),
  },
  held: { lines: OWN_STOCK, wants: OWN_STOCK, act: (order) => control(order, 'hold') },
  moved: { lines: OWN_STOCK, wants: {}, act: (order) => control(order, 'move', { to: 'other' }) },
  tagged: { wants: USUAL, act: (order) => control(order, 'risk', { risk: 'medium' }) },
};

interface Stage {
  settings?: Record<string, unknown>;
  faults?: object[];
  /** The statuses through which the order advances at the service. */
  to?: string[];
  isReached: (printOrder: PrintOrder | undefined) => boolean;
  /** Lets the orders continue after the change. */
  resume?: (orders: PlacedOrder[]) => Promise<unknown>;
}

const refuse = (method: string, path: string) => ({ method, path, kind: 'status', status: 429, rate: 1 });
const enqueuePlans = (orders: PlacedOrder[]) => Promise.all(orders.map((order) => requestReplan(platen, order)));

const stages: Record<State, Stage> = {
  waiting: {
    settings: { delayMinutes: 60 },
    isReached: (printOrder) => printOrder === undefined,
    resume: enqueuePlans,
  },
  quoted: { faults: [refuse('POST', '/v3/orders')], isReached: (printOrder) => printOrder?.state === 'quoted' },
  draft: {
    settings: { leavesDrafts: true },
    isReached: (printOrder) => printOrder?.isLeftAsDraft === true,
    // A new draft would also be left as a draft, so the test releases each draft by hand.
    resume: (orders) => Promise.all(orders.map((order) => act(platen, order, 'approve').catch(() => null))),
  },
  confirming: {
    faults: [{ ...refuse('PATCH', '/v4/orders/'), status: 503 }],
    isReached: (printOrder) => Boolean(printOrder?.confirmStartedAt),
  },
  uncertain: {
    settings: { submit: 'direct' },
    faults: [{ method: 'POST', path: '/v3/orders', kind: 'reset', effect: 'done', rate: 1 }, { searchLagMs: 5000 }],
    isReached: (printOrder) => printOrder?.state === 'uncertain',
  },
  submitted: { isReached: (printOrder) => printOrder?.state === 'submitted' },
  serviceHold: { to: ['on_hold'], isReached: (printOrder) => printOrder?.state === 'held' },
  inProduction: { to: ['printed'], isReached: (printOrder) => printOrder?.state === 'in_production' },
  shipped: {
    settings: { gatherSeconds: 3600 },
    to: ['printed', 'shipped'],
    isReached: (printOrder) => printOrder?.state === 'shipped',
  },
  fulfilled: { to: ['printed', 'shipped'], isReached: (printOrder) => printOrder?.state === 'fulfilled' },
};

const DEFAULTS = { delayMinutes: 0, gatherSeconds: 0, submit: 'draft', leavesDrafts: false };

/** Returns the outcome of a change, based on the orders at the service, the holds and the store. */
async function outcomeOf(order: PlacedOrder, { lines = USUAL, wants }: ChangeCase, isDone: boolean): Promise<Outcome> {
  if (!isDone) return 'impossible';
  const live = (await platen.printedFor(order.name)).filter(
    ({ fulfillmentStatus }) => fulfillmentStatus !== 'canceled',
  );
  const skuOf = new Map((await platen.storeOrder(order.id)).lines.map(({ id, sku }) => [id.split('/').at(-1), sku]));
  const printed: Units = {};
  for (const { itemReferenceId, quantity } of live.flatMap(({ items }) => items)) {
    const sku = skuOf.get(itemReferenceId) ?? itemReferenceId;
    printed[sku] = (printed[sku] ?? 0) + quantity;
  }
  const holds = (await codesOf(platen, order)).filter((code) => code !== 'service_on_hold');
  const { fulfillmentOrders, requestedEdits } = await platen.storeOrder(order.id);
  const { requestStatus, status } = fulfillmentOrders[0] ?? {};
  const isWaiting = status === 'ON_HOLD' || requestedEdits.length > 0;
  const is = (units: Units): boolean => JSON.stringify(sorted(printed)) === JSON.stringify(sorted(units));
  const held = holds.join(' and ');
  const isRejected = requestStatus === 'CANCELLATION_REJECTED';
  if (is({})) return held !== '' ? (held as Outcome) : isWaiting ? 'waits' : 'nothing';
  if (held === '' && is(wants)) return live.length > 1 ? 'beside' : 'asItIs';
  if (held === '' && is(lines)) return isRejected ? 'rejected' : 'asItWas';
  if (held === 'changed_after_submit' && is(lines)) return 'changedAfterSubmit';
  if (held === 'cannot_cancel' && is(lines)) return 'tooLate';
  return `${held} with ${JSON.stringify(printed)} ${requestStatus}` as Outcome;
}

const sorted = (units: Units) => Object.entries(units).toSorted(([a], [b]) => a.localeCompare(b));

async function placeAllAtStage({
  settings = {},
  faults = [],
  to = [],
  isReached,
}: Stage): Promise<Map<Change, PlacedOrder>> {
  await changeSettings(platen.app, platen.shop, { ...DEFAULTS, ...settings });
  await injectFaults(platen, faults);
  const orders = new Map<Change, PlacedOrder>();
  for (const change of CHANGES) orders.set(change, await platen.placeSkus(changeCases[change].lines ?? USUAL));
  const all = [...orders.values()];
  for (const step of to) {
    for (const { name } of all) await eventually(() => platen.printedFor(name)).toHaveLength(1);
    await untilIdle(platen.app);
    for (const { name } of all)
      for (const { id } of await platen.printedFor(name))
        await platen.control('print', 'POST', `/orders/${id}/advance`, { to: step });
    // One reading may cover the events of two steps, but in this test each state must reach the store.
    if (step === 'printed') await untilAll(all, (printOrder) => printOrder?.state === 'in_production');
    await untilIdle(platen.app);
  }
  const known = () => Promise.all(all.map(({ id }) => platen.listed(id).then(Boolean, () => false)));
  await eventually(known).not.toContain(false);
  await untilAll(all, isReached);
  await untilIdle(platen.app);
  return orders;
}

async function untilAll(orders: PlacedOrder[], isReached: Stage['isReached']): Promise<void> {
  const reached = () => Promise.all(orders.map(async (order) => isReached((await printOrdersOf(platen, order))[0])));
  await eventually(reached).not.toContain(false);
}

test.each(STATES)('each change to an order at the stage "%s" has the outcome in the table', async (state) => {
  const stage = stages[state];
  const orders = await placeAllAtStage(stage);
  const done = new Map<Change, boolean>();
  for (const [change, order] of orders) {
    const isDone = await changeCases[change].act(order).then(
      () => true,
      (error: unknown) => {
        if (!String(error).includes('returned 409')) throw error;
        return false;
      },
    );
    done.set(change, isDone);
  }
  await untilIdle(platen.app);
  const { gatherSeconds, submit, leavesDrafts } = { ...DEFAULTS, ...stage.settings };
  if (state !== 'uncertain') await injectFaults(platen, []);
  await changeSettings(platen.app, platen.shop, { ...DEFAULTS, gatherSeconds, submit, leavesDrafts });
  // The second time shows that the outcome stays the same: no second order and no cancellation.
  for (let times = 0; times < 2; times += 1) {
    await stage.resume?.([...orders.values()]);
    await platen.pass(SETTLED_MS);
    await stage.resume?.([...orders.values()]);
    await platen.pass(SETTLED_MS);
    const found: Partial<Record<Change, Outcome>> = {};
    for (const [change, order] of orders)
      found[change] = await outcomeOf(order, changeCases[change], done.get(change) ?? false);
    expect(found).toEqual(Object.fromEntries(CHANGES.map((change) => [change, TABLE[change][state]])));
  }
});
