import { describe, expect, test } from 'vitest';
import { planOrder } from '../../../../src/orders/plan/decide/plan-order.ts';
import type { Plan, PlanInput } from '../../../../src/orders/plan/decide/plan.ts';
import type { StoreReading } from '../../../../src/orders/facts/store-reading.ts';
import { fillSettings } from '../../../../src/shops/settings/settings-schema.ts';
import { atMerchant, atOtherService, fulfillmentOrder, lineItem, planInput, sentUnits } from '../plan-input.ts';

/** Returns the units to print, such as `a 2, b 1`. */
const toPrint = ({ wanted }: Plan): string =>
  wanted.flatMap(({ items }) => items.map((item) => `${item.shopifyLineItemId} ${item.quantity}`)).join(', ');
const outcomeOf = (input: PlanInput) => {
  const { outcome, reason, wanted } = planOrder(input);
  return { outcome, reason, wanted: wanted.length };
};
const settings = (change: Record<string, unknown>) => ({
  ...fillSettings({ delayMinutes: 0, ...change }),
  currency: 'USD',
});
const counted = (id: string, quantity: number, change: Parameters<typeof sentUnits>[2] = {}) =>
  sentUnits(id, quantity, { shopifyFulfillmentOrderId: null, ...change });

const fulfilled = (quantity: number) => ({
  id: 'f',
  createdAt: '2026-11-01T00:00:00Z',
  status: 'SUCCESS',
  trackingCodes: [],
  lines: [{ lineItem: { id: 'a' }, quantity }],
});
const BEFORE = { createdAt: '2026-10-31T00:00:00Z' };
const MOVED = { fulfillmentOrders: [fulfillmentOrder('new', { a: 2 })] };
const OURS = counted('a', 2, { shopifyFulfillmentOrderId: 'ours' });
const CLOSED = { fulfillmentOrders: [fulfillmentOrder('fo', { a: 0 }, { status: 'CLOSED' })] };
const SPLIT = { fulfillmentOrders: [fulfillmentOrder('one', { a: 1 }), fulfillmentOrder('two', { a: 1 })] };
const PARTLY_FULFILLED = {
  lineItems: [lineItem('a', { currentQuantity: 5 })],
  fulfillmentOrders: [fulfillmentOrder('ours', { a: 2 }), ...CLOSED.fulfillmentOrders],
  fulfillments: [fulfilled(3)],
};
const PARTLY_REFUNDED = {
  displayFinancialStatus: 'PARTIALLY_REFUNDED',
  totalRefundedSet: { shopMoney: { amount: '12.50' } },
  lineItems: [lineItem('a', { currentQuantity: 0 })],
};
const replaceable = (shopifyFulfillmentOrderId: string) =>
  counted('a', 2, { shopifyFulfillmentOrderId, isReplaceable: true });

test.each<[string, Partial<StoreReading>, PlanInput['prints'], string]>([
  ['a paid order whose request is accepted is printed', {}, [], 'a 2'],
  ['an order that began to print is completed even if the start date moves past it', BEFORE, [counted('a', 1)], 'a 1'],
  ['units are not printed again if they move to another fulfillment order', MOVED, [counted('a', 2)], ''],
  ['the units of a fulfillment order that is split in two are printed', SPLIT, [], 'a 1, a 1'],
  ['the printed units of a split fulfillment order are not printed again', SPLIT, [counted('a', 1)], 'a 1'],
  ['units fulfilled by hand in one part of a split cause no reprint of the other', PARTLY_FULFILLED, [OURS], ''],
  ['units of a replaceable print order are printed for its own fulfillment order', {}, [replaceable('fo')], 'a 2'],
  ['units of a replaceable print order are not printed for another', {}, [replaceable('x')], ''],
])('%s', (_, order, prints, expected) => {
  expect(toPrint(planOrder(planInput(order, { prints })))).toBe(expected);
});

test.each<[string, string, Partial<StoreReading>]>([
  ["was placed before the shop's start date", 'placed_before_install', { createdAt: '2026-10-31T23:59:59Z' }],
  ['is canceled', 'canceled', { cancelledAt: '2026-11-21T11:00:00Z' }],
  ['is fully fulfilled', 'already_fulfilled', { ...CLOSED, fulfillments: [fulfilled(2)] }],
  ['is partly refunded and has no lines left', 'lines_refunded', { ...CLOSED, ...PARTLY_REFUNDED }],
])('there is nothing to do for an order that %s', (_, reason, order) => {
  expect(outcomeOf(planInput(order))).toEqual({ outcome: 'nothing_to_do', reason, wanted: 0 });
});

describe('the orders that Platen prints', () => {
  test('an order placed in the same second as the install is printed', () => {
    const input = planInput({ createdAt: '2026-11-01T00:00:00Z' });
    input.shop.takesOrdersFrom = new Date('2026-11-01T00:00:00.700Z');
    expect(outcomeOf(input).wanted).toBe(1);
  });

  test('units left from an earlier install are printed only if the order was placed after the start date', () => {
    const prints = [counted('a', 1, { isOfThisInstall: false })];
    const input = planInput({ createdAt: '2026-10-31T00:00:00Z' }, { prints });
    expect(planOrder(input)).toMatchObject({ wanted: [], holds: [], requests: [], accepts: [], waits: [] });
    expect(planOrder(input).lines).toHaveLength(1);
    expect(toPrint(planOrder(planInput({}, { prints })))).toBe('a 1');
    const mixed = planInput({ createdAt: '2026-10-31T00:00:00Z' }, { prints: [...prints, counted('b', 1)] });
    expect(toPrint(planOrder(mixed))).toBe('a 1');
  });
});

describe('the time at which an order is printed', () => {
  test.each(['PAID', 'PARTIALLY_REFUNDED'])('an order whose payment is %s is printed', (displayFinancialStatus) => {
    expect(outcomeOf(planInput({ displayFinancialStatus })).wanted).toBe(1);
  });

  test('the lines of a refunded order are recorded, so that a line added later counts as left to print', () => {
    const { lines } = planOrder(planInput({ displayFinancialStatus: 'REFUNDED' }));
    expect(lines).toMatchObject([{ decision: 'ours', orderedQuantity: 2, fulfilledQuantity: 0 }]);
  });

  test("an order waits for the shop's delay and is checked again when the delay ends", () => {
    const plan = planOrder(
      planInput({ createdAt: '2026-11-21T11:45:00Z' }, { settings: settings({ delayMinutes: 30 }) }),
    );
    expect(plan).toMatchObject({ outcome: 'waiting', reason: 'delay', wanted: [] });
    expect(plan.replanAt).toEqual(new Date('2026-11-21T12:15:00Z'));
    const ended = planInput({ createdAt: '2026-11-21T11:30:00Z' }, { settings: settings({ delayMinutes: 30 }) });
    expect(outcomeOf(ended).wanted).toBe(1);
  });

  test('a fulfillment order on hold waits, and the other fulfillment orders are printed', () => {
    const lineItems = [lineItem('a'), lineItem('b')];
    const held = fulfillmentOrder('held', { a: 2 }, { status: 'ON_HOLD' });
    const plan = planOrder(planInput({ lineItems, fulfillmentOrders: [held, fulfillmentOrder('open', { b: 2 })] }));
    expect(plan.waits).toEqual([{ shopifyFulfillmentOrderId: 'held', reason: 'on_hold' }]);
    expect(toPrint(plan)).toBe('b 2');
  });

  test('a partly printed order shows a reason for waiting as long as units remain to be printed', () => {
    const lineItems = [lineItem('a'), lineItem('b')];
    const held = fulfillmentOrder('held', { a: 2 }, { status: 'ON_HOLD' });
    const order = { lineItems, fulfillmentOrders: [held, fulfillmentOrder('open', { b: 2 })] };
    expect(planOrder(planInput(order, { prints: [counted('b', 2)] }))).toMatchObject({
      outcome: 'planned',
      reason: 'on_hold',
    });
    const prints = [counted('a', 2), counted('b', 2)];
    expect(planOrder(planInput(order, { prints }))).toMatchObject({ outcome: 'planned', reason: null });
  });
});

describe('the number of units to print', () => {
  test('units of a canceled fulfillment do not count as fulfilled', () => {
    const fulfillments = [
      {
        id: 'f',
        createdAt: '2026-11-01T00:00:00Z',
        status: 'CANCELLED',
        trackingCodes: [],
        lines: [{ lineItem: { id: 'a' }, quantity: 2 }],
      },
    ];
    expect(planOrder(planInput({ fulfillments })).lines[0]?.fulfilledQuantity).toBe(0);
  });

  test.each([
    ['with all its lines removed', 'lines_removed', [lineItem('a', { currentQuantity: 0 })], {}],
    ['whose fulfillment was canceled', 'cancellation_accepted', [], { requestStatus: 'CANCELLATION_ACCEPTED' }],
    ['whose fulfillment was closed', 'closed_in_store', [], { status: 'INCOMPLETE' }],
    ['with nothing left to fulfill', 'nothing_left', [], {}],
  ] as const)(
    'an order %s has the outcome "nothing to do" and the matching reason, whether or not it has an ended print order',
    (_, reason, lines, change) => {
      const lineItems = lines.length > 0 ? [...lines] : [lineItem('a')];
      const fulfillmentOrders = [fulfillmentOrder('fo', { a: 0 }, { status: 'CLOSED', ...change })];
      const nothing = { outcome: 'nothing_to_do', reason, wanted: 0 };
      expect(outcomeOf(planInput({ lineItems, fulfillmentOrders }))).toEqual(nothing);
      const ended = counted('a', 2, { isEnded: true });
      expect(outcomeOf(planInput({ lineItems, fulfillmentOrders }, { prints: [ended] }))).toEqual(nothing);
      const printing = counted('a', 2, { isEnded: false });
      expect(outcomeOf(planInput({ lineItems, fulfillmentOrders }, { prints: [printing] })).outcome).toBe('planned');
    },
  );
});

describe('an order whose remaining units are left to others', () => {
  test.each([
    ['at another service', atOtherService],
    ['at a location of the merchant', atMerchant],
    ['for pickup', { deliveryMethod: { methodType: 'PICK_UP' } }],
  ])('an order with remaining units %s is left to others once its own print orders have ended', (_, elsewhere) => {
    const lineItems = [lineItem('a'), lineItem('b')];
    const closed = fulfillmentOrder('ours', { a: 0 }, { status: 'CLOSED' });
    const input = (left: Partial<StoreReading['fulfillmentOrders'][number]>, isEnded: boolean) =>
      planInput(
        { lineItems, fulfillmentOrders: [closed, fulfillmentOrder('other', { b: 2 }, left)] },
        { prints: [counted('a', 2, { isEnded })], settings: settings({ printsAtMerchantLocations: false }) },
      );
    expect(outcomeOf(input(elsewhere, true))).toEqual({
      outcome: 'nothing_to_do',
      reason: 'left_to_others',
      wanted: 0,
    });
    expect(outcomeOf(input(elsewhere, false)).outcome).toBe('planned');
    expect(outcomeOf(input({}, true))).toMatchObject({ outcome: 'planned', wanted: 1 });
  });
});

describe('a line that Platen does not print', () => {
  test('a line that was once left to the merchant stays with the merchant, even if it is linked later', () => {
    const plan = planOrder(planInput({}, { notOurs: new Map([['a', 'not_printed']]) }));
    expect(plan).toMatchObject({ outcome: 'nothing_to_do', reason: 'no_line_of_ours' });
    expect(plan.lines).toMatchObject([{ decision: 'not_ours', reason: 'not_printed' }]);
  });
});

describe('units that an earlier installation printed, whose rows were deleted', () => {
  const forgotten = (units: number): PlanInput['prints'][number] => ({
    shopifyLineItemId: 'a',
    quantity: units,
    fulfilledBefore: 0,
    shopifyFulfillmentOrderId: null,
    isReplaceable: false,
    isEnded: true,
    isForgotten: true,
    isOfThisInstall: false,
  });
  const printing = { ...forgotten(1), shopifyFulfillmentOrderId: 'fo', isEnded: false, isForgotten: false };
  const messagesOf = (input: PlanInput): string[] => planOrder(input).holds.map(({ message }) => message);

  test('are held', () => {
    const { shop } = planInput();
    const prints = [forgotten(2)];
    expect(messagesOf(planInput({}, { prints }))).toEqual([
      expect.stringMatching('^2 units of SKU SKU-a went to print before .* could not find these units'),
    ]);
    const unconnected = { ...shop, hasPrintAccount: false };
    expect(messagesOf(planInput({}, { prints, shop: unconnected }))).toEqual([
      expect.stringMatching('cannot search the print service without a key'),
    ]);
  });

  test('open no hold where a recovered print order or the store covers them', () => {
    // The order of one unit was printed again: the second copy was recovered.
    const fulfillmentOrders = [fulfillmentOrder('fo', { a: 1 })];
    const lineItems = [lineItem('a', { currentQuantity: 1 })];
    expect(messagesOf(planInput({ lineItems, fulfillmentOrders }, { prints: [printing, forgotten(1)] }))).toEqual([]);
    // The first of two units was fulfilled before the second was recovered.
    const fulfillments = [fulfilled(1)];
    const second = { ...printing, fulfilledBefore: 1 };
    expect(messagesOf(planInput({ fulfillmentOrders, fulfillments }, { prints: [second, forgotten(1)] }))).toEqual([]);
    // The recovered one was fulfilled, and the other is still unexplained.
    expect(messagesOf(planInput({ fulfillmentOrders, fulfillments }, { prints: [printing, forgotten(1)] }))).toEqual([
      expect.stringContaining('1 unit of'),
    ]);
  });
});
