import { expect, test } from 'vitest';
import { planOrder } from '../../../src/orders/plan/decide/plan-order.ts';
import type { PlanInput } from '../../../src/orders/plan/decide/plan.ts';
import { fillSettings } from '../../../src/shops/settings/settings-schema.ts';
import { atMerchant, atOtherService, fulfillmentOrder, lineItem, planInput } from './plan-input.ts';

const settings = (change: Record<string, unknown> = {}) => ({
  ...fillSettings({ delayMinutes: 0, ...change }),
  currency: 'USD',
});
const [poster, mug] = [lineItem('poster'), lineItem('mug')];

/** Plans an order at the merchant's location with a linked poster and an unlinked mug that counts as a print-on-demand product. */
function plan(change: Partial<PlanInput> = {}, place = atMerchant) {
  const fulfillmentOrders = [fulfillmentOrder('fo', { poster: 2, mug: 2 }, place)];
  const input = planInput({ lineItems: [poster, mug], fulfillmentOrders });
  const links = new Map([...input.links].filter(([id]) => id === 'variant-poster'));
  return planOrder({ ...input, links, unlinked: new Map([['mug', 'printed']]), ...change });
}

const decisions = ({ lines }: ReturnType<typeof plan>) => lines.map(({ decision, reason }) => `${decision} ${reason}`);

test('an unlinked line that counts as a print-on-demand product also holds the other lines of its fulfillment order, unless the shop prints the rest of held orders', () => {
  const whole = plan();
  expect(whole).toMatchObject({ outcome: 'planned', wanted: [], holds: [{ code: 'not_linked', field: 'productUid' }] });
  const rest = plan({ settings: settings({ sendsRestOfHeldOrders: true }) });
  expect(rest.holds.map(({ code }) => code)).toEqual(['not_linked']);
  expect(rest.wanted.map(({ items }) => items.map(({ sku }) => sku))).toEqual([['SKU-poster']]);
});

test('an order whose lines all count as print-on-demand products is held only as not linked, not for a missing address', () => {
  const held = plan({
    links: new Map(),
    unlinked: new Map([
      ['mug', 'printed'],
      ['poster', 'printed'],
    ]),
    recipient: null,
  });
  expect(held.holds.map(({ code }) => code)).toEqual(['not_linked', 'not_linked']);
});

test('a line at another service, or at a location where the shop does not print, does not count as a print-on-demand product', () => {
  expect(decisions(plan({}, atOtherService))).toEqual(['ours null', 'not_ours not_printed']);
  const alone = plan({ settings: settings({ printsAtMerchantLocations: false }) });
  expect(decisions(alone)).toEqual(['ours null', 'not_ours not_printed']);
  expect(alone.holds).toEqual([]);
});

test('a shop that prints everything holds every unlinked line that ships, except its own stock', () => {
  const everything = { settings: settings({ printsEverything: true }) };
  expect(decisions(plan({ ...everything, unlinked: new Map() }))).toEqual(['ours null', 'held not_linked']);
  expect(decisions(plan({ ...everything, unlinked: new Map([['mug', 'own']]) }))).toEqual([
    'ours null',
    'not_ours own',
  ]);
  expect(decisions(plan({ unlinked: new Map() }))).toEqual(['ours null', 'not_ours not_printed']);
});
