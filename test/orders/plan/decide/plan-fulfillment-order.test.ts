import { describe, expect, test } from 'vitest';
import { planOrder } from '../../../../src/orders/plan/decide/plan-order.ts';
import type { PlanInput } from '../../../../src/orders/plan/decide/plan.ts';
import { fillSettings } from '../../../../src/shops/settings/settings-schema.ts';
import { atMerchant, atOtherService, fulfillmentOrder, lineItem, planInput, sentUnits } from '../plan-input.ts';

const settings = (change: Record<string, unknown>) => ({
  ...fillSettings({ delayMinutes: 0, ...change }),
  currency: 'USD',
});
const one = (change: Parameters<typeof fulfillmentOrder>[2], more: Partial<PlanInput> = {}) =>
  planOrder(planInput({ fulfillmentOrders: [fulfillmentOrder('fo', { a: 2 }, change)] }, more));
const PICKUP_POINT = { deliveryMethod: { methodType: 'PICKUP_POINT' } };
const REQUESTS = [{ shopifyFulfillmentOrderId: 'fo', units: [{ shopifyLineItemId: 'a', quantity: 2 }] }];

describe('the location of a fulfillment order', () => {
  test("units at the merchant's location are printed unless printing for the merchant's locations is turned off", () => {
    expect(one(atMerchant).wanted).toHaveLength(1);
    const plan = one(atMerchant, { settings: settings({ printsAtMerchantLocations: false }) });
    expect(plan.wanted).toEqual([]);
    expect(plan.holds).toEqual([]);
  });
});

describe('the delivery method and address', () => {
  test.each(['PICK_UP', 'LOCAL', 'RETAIL', 'NONE'])('an order delivered by %s is not printed', (methodType) => {
    expect(one({ deliveryMethod: { methodType } })).toMatchObject({ wanted: [], holds: [], requests: [] });
  });

  test('an order for a pickup point is printed once the merchant has entered a postal address in Platen', () => {
    const input = planInput({ fulfillmentOrders: [fulfillmentOrder('fo', { a: 2 }, PICKUP_POINT)] });
    const plan = planOrder({ ...input, decisions: { ...input.decisions, addressCorrectedAt: input.now } });
    expect(plan).toMatchObject({ holds: [], wanted: [{ shopifyFulfillmentOrderId: 'fo' }] });
  });
});

const NO_STATE = { code: 'address_missing_field', field: 'state', message: 'No state.', remedy: '' } as const;
const WITHOUT_KEY = { shop: { ...planInput().shop, hasPrintAccount: false } };

test.each<[string, object, Partial<PlanInput>, string]>([
  ['an order for a pickup point', PICKUP_POINT, {}, 'pickup_point shippingAddress'],
  ['an order without an address', {}, { recipient: null }, 'no_address shippingAddress'],
  ['an invalid address', {}, { recipient: { ok: false, hold: NO_STATE, changes: [] } }, 'address_missing_field state'],
  ['a shop without a print key', {}, WITHOUT_KEY, 'no_print_account printKey'],
])('%s causes a hold that names the field to fix', (_, change, more, expected) => {
  const { holds, wanted } = one(change, more);
  expect([holds.map(({ code, field }) => `${code} ${field}`), wanted]).toEqual([[expected], []]);
});

describe('fulfillment requests', () => {
  const merchantSubmits = { settings: settings({ submitsRequests: false }) };
  const inPrint = { prints: [sentUnits('a', 2, { shopifyFulfillmentOrderId: 'before' })] };
  const UNSUBMITTED = { requestStatus: 'UNSUBMITTED' };
  const SUBMITTED = { requestStatus: 'SUBMITTED' };
  const CANCELED = { requestStatus: 'CANCELLATION_REQUESTED' };
  const byHand = { ...UNSUBMITTED, merchantRequests: [{ kind: 'FULFILLMENT_REQUEST' }] };
  const waits = { outcome: 'waiting', reason: 'needs_request', requests: [] };

  test.each<[string, Parameters<typeof one>[0], Partial<PlanInput>, object]>([
    ['a request that is due is submitted with its units', UNSUBMITTED, {}, { requests: REQUESTS }],
    ['a submitted request is accepted', SUBMITTED, {}, { accepts: ['fo'] }],
    ["the app waits for a request that is the merchant's to submit", UNSUBMITTED, merchantSubmits, waits],
    ['a request that a person has submitted is not submitted again', byHand, {}, waits],
    ['a request for units that were already sent to print is accepted', SUBMITTED, inPrint, { accepts: ['fo'] }],
    ['a cancellation request stops the printing of the rest', CANCELED, {}, { reason: 'cancellation_requested' }],
  ])('%s, and nothing is printed', (_, change, more, expected) => {
    expect(one(change, more)).toMatchObject({ wanted: [], ...expected });
  });

  test.each([
    ['when the service has been created again', { formerLocationIds: [atMerchant.assignedLocation.location.id] }],
    ['before the service is created again', { locationId: atMerchant.assignedLocation.location.id }],
  ])(
    "with printing at the merchant's locations off, an order at the location of Platen's deleted service waits visibly, %s",
    (_when, shop) => {
      const off = settings({ printsAtMerchantLocations: false });
      const input = planInput({ fulfillmentOrders: [fulfillmentOrder('fo', { a: 2 }, atMerchant)] });
      const given = { ...input, shop: { ...input.shop, ...shop }, settings: off };
      expect(planOrder(given)).toMatchObject({ outcome: 'waiting', reason: 'former_location', wanted: [] });
      // A line without a link is still Platen's.
      expect(planOrder({ ...given, links: new Map() }).lines).toMatchObject([{ reason: 'no_print_link' }]);
      expect(planOrder({ ...given, shop: input.shop })).toMatchObject({ outcome: 'nothing_to_do' });
      expect(planOrder({ ...given, settings: input.settings }).wanted).toHaveLength(1);
    },
  );

  test.each([
    [{ cancelAskedAt: new Date() }, {}, 'unless you choose "Approve"'],
    [{}, { test: true }, 'A test order is never printed'],
    [{}, { displayFinancialStatus: 'REFUNDED' }, 'The order was refunded'],
    [{}, { createdAt: '2026-10-01T00:00:00Z' }, 'before the date from which Platen prints'],
  ])(
    'a fulfillment request for an order that is not printed is rejected, and the rejection states the reason (%j %j)',
    (decisions, order, why) => {
      const fulfillmentOrders = [
        fulfillmentOrder('asked', { a: 1 }, { requestStatus: 'SUBMITTED' }),
        fulfillmentOrder('accepted', { a: 1 }),
        fulfillmentOrder('elsewhere', { a: 1 }, { requestStatus: 'SUBMITTED', ...atOtherService }),
      ];
      const input = planInput({ fulfillmentOrders, ...order });
      const plan = planOrder({ ...input, decisions: { ...input.decisions, ...decisions } });
      expect(plan).toMatchObject({ outcome: 'nothing_to_do', accepts: [], wanted: [] });
      expect(plan.rejections).toEqual([
        { shopifyFulfillmentOrderId: 'asked', reason: 'OTHER', message: expect.stringContaining(why) },
      ]);
    },
  );

  test('units left after a rejected cancellation are printed only if a person retries', () => {
    const change = { requestStatus: 'CANCELLATION_REJECTED' };
    expect(one(change)).toMatchObject({ outcome: 'waiting', reason: 'cancellation_rejected', wanted: [] });
    expect(one(change, { canRequestAgain: true }).wanted).toHaveLength(1);
  });

  test("a manual retry repeats a rejected fulfillment request, unless the merchant submits the shop's requests", () => {
    expect(one({ requestStatus: 'REJECTED' }, { canRequestAgain: true }).requests).toHaveLength(1);
    const merchants = { settings: settings({ submitsRequests: false }), canRequestAgain: true };
    expect(one({ requestStatus: 'UNSUBMITTED' }, merchants)).toMatchObject({ reason: 'needs_request', requests: [] });
  });

  test('a fulfillment request that cannot be printed is rejected with a remedy only if it was submitted', () => {
    const rejected = one({ requestStatus: 'SUBMITTED' }, { recipient: null });
    expect(rejected).toMatchObject({
      accepts: [],
      wanted: [],
      holds: [{ code: 'no_address' }],
      rejections: [{ shopifyFulfillmentOrderId: 'fo', reason: 'INCORRECT_ADDRESS' }],
    });
    expect(rejected.rejections[0]?.message).toContain('Add a shipping address');
    for (const requestStatus of ['UNSUBMITTED', 'ACCEPTED', 'REJECTED'])
      expect(one({ requestStatus }, { recipient: null }).rejections).toEqual([]);
  });
});

describe('the holds of a fulfillment order', () => {
  const twoLines = (change: Partial<PlanInput> = {}) => {
    const lineItems = [lineItem('a'), lineItem('b', { sku: null })];
    const input = planInput({ lineItems }, change);
    return { ...input, links: new Map([...input.links].filter(([id]) => id !== 'variant-b')) };
  };

  test('a held line holds its whole fulfillment order', () => {
    const plan = planOrder(twoLines());
    expect(plan.holds).toMatchObject([
      { code: 'no_print_link', shopifyFulfillmentOrderId: 'fo', shopifyLineItemId: 'b' },
    ]);
    expect(plan.wanted).toEqual([]);
  });

  test('if the shop prints the rest of held orders, the other lines of a held fulfillment order are printed', () => {
    const plan = planOrder(twoLines({ settings: settings({ sendsRestOfHeldOrders: true }) }));
    expect(plan.holds).toHaveLength(1);
    expect(plan.wanted.flatMap(({ items }) => items.map(({ shopifyLineItemId }) => shopifyLineItemId))).toEqual(['a']);
  });

  test('a held line does not hold another fulfillment order', () => {
    const input = twoLines();
    const order = {
      ...input.order,
      fulfillmentOrders: [fulfillmentOrder('one', { a: 2 }), fulfillmentOrder('two', { b: 2 })],
    };
    const plan = planOrder({ ...input, order });
    expect(plan.wanted.map(({ shopifyFulfillmentOrderId }) => shopifyFulfillmentOrderId)).toEqual(['one']);
    expect(plan.holds.map(({ shopifyFulfillmentOrderId }) => shopifyFulfillmentOrderId)).toEqual(['two']);
  });
});
