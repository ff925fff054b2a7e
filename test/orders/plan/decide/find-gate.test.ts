import { describe, expect, test } from 'vitest';
import { planOrder } from '../../../../src/orders/plan/decide/plan-order.ts';
import type { PlanInput } from '../../../../src/orders/plan/decide/plan.ts';
import type { StoreReading } from '../../../../src/orders/facts/store-reading.ts';
import { fillSettings } from '../../../../src/shops/settings/settings-schema.ts';
import { fulfillmentOrder, lineItem, planInput, sentUnits } from '../plan-input.ts';

// By default, all orders are placed at 10:00 UTC and planned at 12:00 UTC, in a shop in Paris.
interface Given {
  order?: Partial<StoreReading>;
  settings?: Record<string, unknown>;
  decisions?: Partial<PlanInput['decisions']>;
  now?: string;
  prints?: PlanInput['prints'];
}

function plan({ order = {}, settings = {}, decisions = {}, now = '2026-11-21T12:00:00Z', prints = [] }: Given) {
  const input = planInput(order, { now: new Date(now), prints });
  return planOrder({
    ...input,
    settings: { ...fillSettings({ delayMinutes: 0, ...settings }), currency: 'USD' },
    decisions: { ...input.decisions, ...decisions },
  });
}

const money = (amount: string) => ({ currentTotalPriceSet: { shopMoney: { amount, currencyCode: 'EUR' } } });
const risk = (recommendation: string, ...levels: string[]) => ({
  risk: { recommendation, assessments: levels.map((riskLevel) => ({ riskLevel })) },
});
const buyer = (customerOrderIndex: number | null, ready = true) => ({
  customerJourneySummary: { customerOrderIndex, ready },
});
const approved = { approvedAt: new Date('2026-11-21T11:00:00Z'), approvedTotal: '40.00', approvedUnits: { a: 2 } };
const sent = (quantity: number) => sentUnits('a', quantity);

/** Returns the outcome of an order: "printed", the codes of its holds or the reason why it waits. */
const outcome = (given: Given): string => {
  const { wanted, holds, reason } = plan(given);
  if (wanted.length > 0) return 'printed';
  return holds.map(({ code }) => code).join(' and ') || (reason ?? 'nothing');
};
const message = (given: Given): string =>
  plan(given)
    .holds.map((hold) => hold.message)
    .join('\n');

test('nothing is sent while the print service has an order whose units are unknown', () => {
  expect(planOrder(planInput({}, { hasUnknownOrder: true }))).toMatchObject({
    wanted: [],
    requests: [],
    outcome: 'planned',
    reason: null,
  });
  expect(planOrder(planInput()).wanted).toHaveLength(1);
});

describe('the approval of an order', () => {
  test('with manual release, every order needs approval', () => {
    expect(outcome({ settings: { release: 'by_hand' } })).toBe('needs_approval');
    expect(outcome({ settings: { release: 'by_hand' }, decisions: approved })).toBe('printed');
  });

  test.each([
    ['99.99', 'printed'],
    ['100.00', 'needs_approval'],
    ['100', 'needs_approval'],
    ['1000.5', 'needs_approval'],
    ['9.00', 'printed'],
  ])('with a minimum total of 100, an order for %s has the outcome %s', (amount, expected) => {
    expect(outcome({ order: money(amount), settings: { approvalRules: { minimumTotal: '100' } } })).toBe(expected);
  });

  test('the hold message states the matching approval rules and their values', () => {
    const lineItems = [lineItem('a', { product: { id: 'p', tags: ['Custom '] } })];
    const approvalRules = { minimumTotal: '100', productTags: ['custom'], firstTimeBuyers: true };
    const given = { order: { ...money('120.00'), ...buyer(1), lineItems }, settings: { approvalRules } };
    expect(outcome(given)).toBe('needs_approval');
    expect(message(given)).toBe(
      'This order needs approval: its total of 120.00 EUR is at or above 100 EUR; the product with SKU SKU-a has the tag "Custom "; the store has no earlier order from this buyer.',
    );
  });

  test.each([
    [buyer(1), 'needs_approval'],
    [buyer(null), 'needs_approval'],
    [buyer(2), 'printed'],
  ])('with the rule for first-time buyers, an order with %o has the outcome %s', (journey, expected) => {
    expect(outcome({ order: journey, settings: { approvalRules: { firstTimeBuyers: true } } })).toBe(expected);
  });

  test("an order waits up to an hour for the buyer's order count, and then needs approval", () => {
    const settings = { approvalRules: { firstTimeBuyers: true } };
    const order = buyer(null, false);
    expect(outcome({ order, settings, now: '2026-11-21T10:59:00Z' })).toBe('buyer_pending');
    expect(outcome({ order, settings, now: '2026-11-21T11:00:00Z' })).toBe('needs_approval');
    expect(outcome({ order: { customerJourneySummary: null }, settings })).toBe('needs_approval');
    expect(outcome({ order, settings, decisions: approved })).toBe('printed');
  });

  test('an approved order needs a new approval only if an edit raises its total to the minimum or more', () => {
    const settings = { release: 'by_hand', approvalRules: { minimumTotal: '100' } };
    expect(outcome({ order: money('99.00'), settings, decisions: approved })).toBe('printed');
    expect(outcome({ order: money('120.00'), settings, decisions: approved })).toBe('needs_approval');
    expect(outcome({ order: money('120.00'), settings, decisions: { ...approved, approvedTotal: '130.00' } })).toBe(
      'printed',
    );
  });

  test('with manual release, units added after the approval need a new approval', () => {
    const settings = { release: 'by_hand' };
    const order = { lineItems: [lineItem('a'), lineItem('b')] };
    expect(outcome({ order, settings, decisions: approved })).toBe('needs_approval');
    expect(outcome({ order, settings, decisions: { ...approved, approvedUnits: { a: 2, b: 2 } } })).toBe('printed');
    const more = { lineItems: [lineItem('a', { currentQuantity: 3 })] };
    expect(outcome({ order: more, settings, decisions: approved })).toBe('needs_approval');
    const foreign = { lineItems: [lineItem('a'), lineItem('b', { isGiftCard: true })] };
    expect(outcome({ order: foreign, settings, decisions: approved })).toBe('printed');
    expect(outcome({ order, settings, decisions: { ...approved, approvedUnits: null } })).toBe('printed');
  });
});

describe('the fraud check of an order', () => {
  test.each([
    [risk('ACCEPT', 'LOW'), 'printed'],
    [risk('INVESTIGATE', 'MEDIUM'), 'printed'],
    [risk('CANCEL', 'MEDIUM'), 'high_risk'],
    [risk('NONE', 'HIGH'), 'high_risk'],
    [risk('ACCEPT', 'LOW', 'HIGH'), 'high_risk'],
    [risk('NONE', 'NONE'), 'printed'],
    [risk('ACCEPT'), 'printed'],
  ])('an order with the risk %o has the outcome %s', (order, expected) => {
    expect(outcome({ order })).toBe(expected);
    expect(outcome({ order, settings: { highRiskOrders: 'print' } })).toBe('printed');
    expect(outcome({ order, decisions: approved })).toBe('printed');
  });

  test('an order waits an hour for a running fraud analysis, and 15 minutes for an analysis that has not started', () => {
    const pending = risk('NONE', 'PENDING');
    expect(outcome({ order: pending, now: '2026-11-21T10:59:59Z' })).toBe('risk_pending');
    expect(outcome({ order: pending, now: '2026-11-21T11:00:00Z' })).toBe('printed');
    expect(outcome({ order: risk('NONE'), now: '2026-11-21T10:14:59Z' })).toBe('risk_pending');
    expect(outcome({ order: risk('NONE'), now: '2026-11-21T10:15:00Z' })).toBe('printed');
    expect(plan({ order: pending, now: '2026-11-21T10:30:00Z' }).replanAt).toEqual(new Date('2026-11-21T10:35:00Z'));
  });
});

describe('manual actions on an order', () => {
  test('an order whose printing was canceled by hand is not printed', () => {
    const canceled = plan({ decisions: { cancelAskedAt: new Date(), ...approved } });
    expect(canceled).toMatchObject({ outcome: 'nothing_to_do', reason: 'canceled_by_hand', wanted: [], requests: [] });
    // Platen still records the lines as its own, so that units added after the cancellation count as left to fulfill.
    expect(canceled.lines).toMatchObject([{ decision: 'ours', orderedQuantity: 2, fulfilledQuantity: 0 }]);
  });
});

describe("the buyer's request to remove items", () => {
  const order = { displayRequestedEditStatus: 'REQUESTED' };

  test.each([
    ['NONE', 'printed'],
    ['REQUESTED', 'edit_requested'],
    ['RESOLVED', 'printed'],
    ['DECLINED', 'printed'],
    // The store refuses to show the field.
    [null, 'printed'],
  ])('an order with the request status %s has the outcome %s', (displayRequestedEditStatus, expected) => {
    expect(outcome({ order: { displayRequestedEditStatus } })).toBe(expected);
  });

  test('while a request is open, nothing is requested, accepted or planned, not even after an approval', () => {
    const fulfillmentOrders = [fulfillmentOrder('fo', { a: 2 }, { requestStatus: 'SUBMITTED' })];
    const waiting = plan({ order: { ...order, fulfillmentOrders }, decisions: approved });
    expect(waiting).toMatchObject({ outcome: 'waiting', reason: 'edit_requested' });
    expect(waiting).toMatchObject({ wanted: [], requests: [], accepts: [], rejections: [] });
    expect(waiting.replanAt).toBeNull();
  });

  test('decisions that someone must make come first, and delays come later', () => {
    expect(outcome({ order, settings: { release: 'by_hand' } })).toBe('needs_approval');
    expect(outcome({ order, decisions: { heldAt: new Date() } })).toBe('held_by_hand');
    expect(outcome({ order: { ...order, displayFinancialStatus: 'PENDING' } })).toBe('unpaid');
    expect(outcome({ order, settings: { delayMinutes: 600 } })).toBe('edit_requested');
    expect(outcome({ order, settings: { release: 'daily' } })).toBe('edit_requested');
  });

  test('a request does not stop units that were already sent, but a draft whose edits were accepted is not confirmed', () => {
    expect(plan({ order, prints: [sent(2)] })).toMatchObject({ outcome: 'planned', reason: null });
    expect(outcome({ order, prints: [sent(1)] })).toBe('edit_requested');
    const draft = { ...sent(2), isEditedDraft: true };
    expect(plan({ order, prints: [draft] })).toMatchObject({ outcome: 'waiting', reason: 'edit_requested' });
    expect(plan({ prints: [draft] })).toMatchObject({ outcome: 'planned', reason: null });
  });
});

describe('the payment of an order', () => {
  test.each(['PENDING', 'AUTHORIZED', 'PARTIALLY_PAID', null])(
    'an order with the payment status %s is printed if the shop allows unpaid orders',
    (status) => {
      const order = { displayFinancialStatus: status };
      expect(outcome({ order })).toBe('unpaid');
      expect(outcome({ order, settings: { unpaidOrders: 'print' } })).toBe('printed');
    },
  );

  test.each([
    ['VOIDED', 'not_payable'],
    ['REFUNDED', 'refunded'],
    ['EXPIRED', 'not_payable'],
  ])('an order with the payment status %s is not printed, even if the shop prints unpaid orders', (status, reason) => {
    const order = { displayFinancialStatus: status };
    expect(outcome({ order, settings: { unpaidOrders: 'print' } })).toBe(reason);
  });

  test('an unpaid edit does not hold units that were already sent, but the units that it adds are not sent', () => {
    const order = { displayFinancialStatus: 'PARTIALLY_PAID' };
    expect(outcome({ order, prints: [sent(2)] })).toBe('nothing');
    expect(outcome({ order, prints: [sent(1)] })).toBe('unpaid');
  });
});

describe('the daily release of orders', () => {
  const settings = { release: 'daily', dailyReleaseAt: '18:00' };

  test("an order waits for the daily release time in the shop's time zone", () => {
    const waiting = plan({ settings });
    expect(waiting).toMatchObject({ outcome: 'waiting', reason: 'daily_release', wanted: [] });
    expect(waiting.replanAt).toEqual(new Date('2026-11-21T17:00:00Z'));
    expect(waiting.releaseAt).toEqual(waiting.replanAt);
  });

  test('units that waited for the daily release stay released until they are sent, and later units wait again', () => {
    const decisions = { releaseAt: new Date('2026-11-21T17:00:00Z') };
    const released = plan({ settings, decisions, now: '2026-11-21T17:00:00Z' });
    expect(released.wanted).toHaveLength(1);
    expect(released.releaseAt).toEqual(decisions.releaseAt);
    expect(plan({ settings, decisions, now: '2026-11-21T17:05:00Z', prints: [sent(2)] }).releaseAt).toBeNull();
    expect(outcome({ settings, now: '2026-11-21T17:05:00Z', prints: [sent(1)] })).toBe('daily_release');
  });

  test('an order that becomes due after the daily release waits for the next release, even if the release time is changed', () => {
    expect(plan({ settings, now: '2026-11-21T17:00:01Z' }).releaseAt).toEqual(new Date('2026-11-22T17:00:00Z'));
    const decisions = { releaseAt: new Date('2026-11-21T17:00:00Z') };
    const earlier = { ...settings, dailyReleaseAt: '13:30' };
    expect(plan({ settings: earlier, decisions }).releaseAt).toEqual(new Date('2026-11-21T12:30:00Z'));
  });
});

describe('test orders', () => {
  test("an order marked as a test is planned as a draft only if drafts can stay in the print service's dashboard", () => {
    const order = { test: true };
    expect(outcome({ order })).toBe('test_order');
    expect(outcome({ order, settings: { testOrders: 'draft' } })).toBe('printed');
    expect(outcome({ order, settings: { testOrders: 'draft', submit: 'direct' } })).toBe('test_order');
  });
});
