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

/** A poster with a print link, and a mug without one that looks printed, shipped from one place of the merchant. */
function plan(change: Partial<PlanInput> = {}, place = atMerchant) {
  const fulfillmentOrders = [fulfillmentOrder('fo', { poster: 2, mug: 2 }, place)];
  const input = planInput({ lineItems: [poster, mug], fulfillmentOrders });
  const links = new Map([...input.links].filter(([id]) => id === 'variant-poster'));
  return planOrder({ ...input, links, unlinked: new Map([['mug', 'printed']]), ...change });
}

const decisions = ({ lines }: ReturnType<typeof plan>) => lines.map(({ decision, reason }) => `${decision} ${reason}`);

test('a line that looks printed holds its fulfillment order, and by the setting the rest is sent all the same', () => {
  const whole = plan();
  expect(whole).toMatchObject({ outcome: 'planned', wanted: [], holds: [{ code: 'not_linked', field: 'productUid' }] });
  const rest = plan({ settings: settings({ sendsRestOfHeldOrders: true }) });
  expect(rest.holds.map(({ code }) => code)).toEqual(['not_linked']);
  expect(rest.wanted.map(({ items }) => items.map(({ sku }) => sku))).toEqual([['SKU-poster']]);
});

test('an order of such lines alone is held for them, and for nothing that only printing needs', () => {
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

test('what another fulfilment service ships looks like nothing of ours, and so does all elsewhere of a shop that prints at Platen’s location alone', () => {
  expect(decisions(plan({}, atOtherService))).toEqual(['ours null', 'not_ours not_printed']);
  const alone = plan({ settings: settings({ printsAtMerchantLocations: false }) });
  expect(decisions(alone)).toEqual(['ours null', 'not_ours not_printed']);
  expect(alone.holds).toEqual([]);
});

test('a shop that prints everything is asked about every line that ships, but not about its own products', () => {
  const everything = { settings: settings({ printsEverything: true }) };
  expect(decisions(plan({ ...everything, unlinked: new Map() }))).toEqual(['ours null', 'held not_linked']);
  expect(decisions(plan({ ...everything, unlinked: new Map([['mug', 'own']]) }))).toEqual([
    'ours null',
    'not_ours own',
  ]);
  expect(decisions(plan({ unlinked: new Map() }))).toEqual(['ours null', 'not_ours not_printed']);
});

test('a line that was decided to be the merchant’s stays so, whatever it looks like by now', () => {
  const stays = plan({ notOurs: new Map([['mug', 'not_printed']]) });
  expect(decisions(stays)).toEqual(['ours null', 'not_ours not_printed']);
  expect(stays.wanted).toHaveLength(1);
});

test('a line that waits for a word is not printed by its link, though the order is planned again', () => {
  const all = planInput({ lineItems: [poster, mug] }).links;
  const waiting = plan({ links: all, unlinked: new Map(), asked: new Set(['mug']) });
  expect(waiting).toMatchObject({ wanted: [], holds: [{ code: 'not_linked', shopifyLineItemId: 'mug' }] });
  expect(plan({ links: all, unlinked: new Map() }).wanted[0]?.items).toHaveLength(2);
});
