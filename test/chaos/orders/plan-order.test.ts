import { expect, test } from 'vitest';
import { OWN_STOCK_SKU, printedVariants } from './catalog.ts';
import { planOrder, type OrderPlan } from './plan-order.ts';
import { createChaosRandom } from './random.ts';

const SHOPS = (['draft', 'direct'] as const).map((submit) => ({
  domain: `${submit}.myshopify.com`,
  submit,
  variantIds: new Map<string, string>(),
}));
const ORDERS = 1_000;

function planAll(seed: number): OrderPlan[] {
  const random = createChaosRandom(seed);
  return Array.from({ length: ORDERS }, (_, index) => planOrder(SHOPS, index, random.fork(`order ${index}`)));
}

const plans = planAll(7);

test('the same seed plans the same orders, and another seed plans different orders', () => {
  expect(planAll(7)).toEqual(plans);
  expect(planAll(8)).not.toEqual(plans);
});

test('every order has one to four lines with different SKUs, at least one printed line and a unique buyer', () => {
  for (const { lines, wants } of plans) {
    const skus = lines.map(({ sku }) => sku);
    expect(new Set(skus).size).toBe(skus.length);
    expect(skus.length).toBeLessThanOrEqual(4);
    const printed = lines.filter(({ sku }) => sku !== OWN_STOCK_SKU);
    expect(wants).toEqual(Object.fromEntries(printed.map(({ sku, quantity }) => [sku, quantity])));
    expect(printed.length).toBeGreaterThan(0);
    for (const { quantity } of lines) expect([1, 2, 3]).toContain(quantity);
  }
  expect(new Set(plans.map(({ buyer }) => buyer)).size).toBe(ORDERS);
  expect(new Set(plans.flatMap(({ lines }) => lines.map(({ sku }) => sku))).size).toBe(printedVariants.length + 1);
});

test('about 8% of the orders are edited, about 6% are canceled, and a few are refunded or get a cancellation request', () => {
  const share = (...kinds: string[]) =>
    plans.filter(({ change }) => change !== null && kinds.includes(change.kind)).length / ORDERS;
  for (const [found, about] of [
    [share('edited', 'address'), 0.08],
    [share('canceled'), 0.06],
    [share('refunded'), 0.03],
    [share('cancellationRequested'), 0.03],
  ] as const) {
    expect(found).toBeGreaterThan(about / 2);
    expect(found).toBeLessThan(about * 1.7);
  }
});

test('the remaining units of a changed order are never negative', () => {
  for (const { wants, change } of plans) {
    if (change === null) continue;
    for (const quantity of Object.values(change.wants)) expect(quantity).toBeGreaterThanOrEqual(0);
    const sum = (units: Record<string, number>) => Object.values(units).reduce((all, quantity) => all + quantity, 0);
    const units = change.act.lines?.reduce((all, { quantity }) => all + quantity, 0) ?? 0;
    const expected = {
      remove: sum(wants) - units,
      refund: sum(wants) - units,
      add: sum(wants) + units,
      address: sum(wants),
      cancel: 0,
      requestCancellation: 0,
    };
    expect(sum(change.wants)).toBe(expected[change.act.endpoint]);
  }
});
