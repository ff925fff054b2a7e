import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFulfillment } from '../../../src/shopify/calls/fulfillments.ts';
import { readOrderForPlan } from '../../../src/shopify/calls/orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import {
  adminOf,
  entriesOfKind,
  fulfillmentsOf,
  placeAtService,
  shippedOf,
  type OrderAtService,
} from './place-at-service.ts';
import { untilNoDueJobs } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const POSTER = 'POSTER-13X18';
const MUG = 'MUG-11OZ';

let platen: Platen;
beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
}, 60_000);
afterAll(() => platen.stop());

const until = (at: OrderAtService, shipped: object[]) => eventually(() => shippedOf(platen, at)).toMatchObject(shipped);
const quiet = ({ order }: OrderAtService) => untilNoDueJobs(platen, order);
const orderPath = ({ order }: OrderAtService) => `/orders/${encodeURIComponent(order.id)}`;

/** Returns the lines that still have units to fulfill. */
async function findOpenLines({ order }: OrderAtService) {
  const read = await readOrderForPlan(await adminOf(platen), order.id, { withCustomer: false });
  return (read?.fulfillmentOrders ?? []).flatMap(({ id: fulfillmentOrderId, lines }) =>
    lines.map(({ id, sku }) => ({ fulfillmentOrderId, id, sku })),
  );
}

/** Fulfills units of a SKU by hand in the store. */
async function fulfillByHand(at: OrderAtService, sku: string, quantity: number, numbers: string[] = []): Promise<void> {
  const line = (await findOpenLines(at)).find((one) => one.sku === sku);
  await createFulfillment(await adminOf(platen), {
    lineItemsByFulfillmentOrder: [
      {
        fulfillmentOrderId: line?.fulfillmentOrderId ?? '',
        fulfillmentOrderLineItems: [{ id: line?.id ?? '', quantity }],
      },
    ],
    ...(numbers.length > 0 ? { trackingInfo: { numbers } } : {}),
  });
}

describe('fulfillments that Platen creates for shipments', () => {
  test('packages that share items become one fulfillment with all their tracking codes, one carrier and one email', async () => {
    await changeSettings(platen.app, platen.shop, { gatherSeconds: 2 });
    const at = await placeAtService(platen, { [POSTER]: 2, [MUG]: 1, 'TSHIRT-M': 1 });
    await at.advance('shipped', [
      { skus: [POSTER], code: 'GROUP-1', url: 'https://www.ups.com/track?tracknum=1' },
      { skus: [POSTER, MUG], code: 'GROUP-2', url: 'https://www.ups.com/track?tracknum=2' },
      { skus: ['TSHIRT-M'], code: 'ALONE-1', url: 'https://track.example/3' },
    ]);
    // The tracking URL of `ALONE-1` names no carrier, so Platen derives the carrier from the shipping method.
    await until(at, [
      { lines: { 'TSHIRT-M': 1 }, codes: ['ALONE-1'], company: 'FedEx', mails: 1 },
      { lines: { [POSTER]: 2, [MUG]: 1 }, codes: ['GROUP-1', 'GROUP-2'], company: 'UPS', mails: 1 },
    ]);
    await changeSettings(platen.app, platen.shop, { gatherSeconds: 0 });
    await platen.untilState(at.order.id, 'fulfilled');
  });

  test('a late tracking code is added to its fulfillment without another email to the buyer', async () => {
    const at = await placeAtService(platen, { [POSTER]: 2 });
    await at.advance('shipped', [{ skus: [POSTER], code: 'LATE-1' }]);
    await until(at, [{ lines: { [POSTER]: 2 }, codes: ['LATE-1'], mails: 1 }]);
    await at.advance('shipped', [{ skus: [POSTER], code: 'LATE-2' }]);
    await until(at, [{ lines: { [POSTER]: 2 }, codes: ['LATE-1', 'LATE-2'], mails: 1 }]);
    // The timeline entry is written after the store is updated.
    await quiet(at);
    const [updated] = await entriesOfKind(platen, at, 'tracking_updated');
    expect(updated?.message).toContain('LATE-2');
  });
});

describe('fulfillments created by hand before Platen creates its own', () => {
  test('if some units are fulfilled by hand, Platen fulfills the rest, and no unit is fulfilled twice', async () => {
    const at = await placeAtService(platen, { [POSTER]: 3 });
    await fulfillByHand(at, POSTER, 1);
    await at.advance('shipped', [{ skus: [POSTER], code: 'REST-1' }]);
    await until(at, [
      { lines: { [POSTER]: 1 }, codes: [], mails: 0 },
      { lines: { [POSTER]: 2 }, codes: ['REST-1'], mails: 1 },
    ]);
    await platen.untilState(at.order.id, 'fulfilled');
    expect(await platen.printedFor(at.order.name)).toHaveLength(1);
  });
});

describe('tracking codes that the service corrects', () => {
  test('a corrected code and its carrier replace the old code without an email to the buyer', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await at.advance('shipped', [{ skus: [POSTER], code: 'WRONG-1', url: 'https://www.ups.com/track/1' }]);
    await until(at, [{ codes: ['WRONG-1'], company: 'UPS', mails: 1 }]);
    await platen.pass(60_000);
    await at.advance('shipped', [
      { skus: [POSTER], code: 'RIGHT-1', url: 'https://tools.usps.com/go/1', replaces: 'WRONG-1' },
    ]);
    await until(at, [{ lines: { [POSTER]: 1 }, codes: ['RIGHT-1'], company: 'USPS', mails: 1 }]);
    await quiet(at);
    const [replaced] = await entriesOfKind(platen, at, 'tracking_replaced');
    expect(replaced?.message).toMatch(/corrected the tracking code WRONG-1 .* to RIGHT-1/);
    const [corrected] = await entriesOfKind(platen, at, 'tracking_corrected');
    expect(corrected?.message).toMatch(/no longer has the tracking code WRONG-1 and now has .*RIGHT-1 instead/);
    expect(await fulfillmentsOf(platen, at)).toHaveLength(1);
  });
});

describe('fulfillments that the store refuses', () => {
  /**
   * Moves the mug's stock to Platen's or the merchant's location. During printing, only a fulfillment order at the merchant's location can
   * be held or moved.
   */
  async function stockMugAt(location: 'service' | 'own'): Promise<void> {
    const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
    const id = variants.find(({ sku }) => sku === MUG)?.variantId ?? '';
    await platen.control('store', 'POST', `/variants/${encodeURIComponent(id)}/stock`, { location });
  }
  beforeAll(() => stockMugAt('own'));
  afterAll(() => stockMugAt('service'));

  test('a fulfillment waits while its fulfillment order is on hold, and is created after the hold is released', async () => {
    const at = await placeAtService(platen, { [MUG]: 1 });
    await platen.control('store', 'POST', `${orderPath(at)}/hold`, {});
    await at.advance('shipped', [{ skus: [MUG], code: 'HELD-1' }]);
    await eventually(() => entriesOfKind(platen, at, 'fulfillment_waits')).toHaveLength(1);
    expect(await shippedOf(platen, at)).toEqual([]);
    await platen.control('store', 'POST', `${orderPath(at)}/release`, {});
    await until(at, [{ lines: { [MUG]: 1 }, codes: ['HELD-1'], mails: 1 }]);
  });
});
