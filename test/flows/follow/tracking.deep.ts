import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFulfillment, updateFulfillmentTracking } from '../../../src/shopify/calls/fulfillments.ts';
import { readOrderForPlan } from '../../../src/shopify/calls/orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import {
  adminOf,
  LARGE_MUG,
  BOOK,
  entriesOfKind,
  fulfillmentsOf,
  placeAtService,
  placeSplit,
  shippedOf,
  type OrderAtService,
} from './place-at-service.ts';
import { untilNoDueJobs } from '../submit/submit-helpers.ts';
import { enqueue } from '../../../src/jobs/enqueue.ts';
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

  test('an order that the service splits across facilities gets one fulfillment for each part', async () => {
    const { at, parts } = await placeSplit(platen);
    await at.advance('shipped', [{ skus: [BOOK], code: 'PART-BOOK' }], parts.of(BOOK));
    await until(at, [{ lines: { [BOOK]: 1 }, codes: ['PART-BOOK'], mails: 1 }]);
    await quiet(at);
    expect((await platen.listed(at.order.id)).state).not.toBe('fulfilled');
    await at.advance('shipped', [{ skus: [LARGE_MUG], code: 'PART-MUG' }], parts.of(LARGE_MUG));
    await until(at, [
      { lines: { [BOOK]: 1 }, codes: ['PART-BOOK'], mails: 1 },
      { lines: { [LARGE_MUG]: 2 }, codes: ['PART-MUG'], mails: 1 },
    ]);
    await platen.untilState(at.order.id, 'fulfilled');
  });

  test('the buyer gets no shipping email if the shop has turned emails off', async () => {
    await changeSettings(platen.app, platen.shop, { notifyCustomer: false });
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await at.advance('shipped', [{ skus: [POSTER], code: 'QUIET-1' }]);
    await until(at, [{ codes: ['QUIET-1'], mails: 0 }]);
    await changeSettings(platen.app, platen.shop, { notifyCustomer: true });
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

  test('a fulfillment that the merchant created with one of Platen’s tracking codes also gets the other code', async () => {
    const at = await placeAtService(platen, { [MUG]: 1 });
    await fulfillByHand(at, MUG, 1, ['HAND-1']);
    await at.advance('shipped', [
      { skus: [MUG], code: 'HAND-1' },
      { skus: [MUG], code: 'HAND-2' },
    ]);
    await until(at, [{ lines: { [MUG]: 1 }, codes: ['HAND-1', 'HAND-2'], mails: 0 }]);
    await quiet(at);
    expect(await fulfillmentsOf(platen, at)).toHaveLength(1);
  });

  test('a fulfillment that the merchant created for all units stays unchanged, and the timeline records this', async () => {
    const at = await placeAtService(platen, { [MUG]: 1 });
    await fulfillByHand(at, MUG, 1);
    await at.advance('shipped', [{ skus: [MUG], code: 'LEFT-1' }]);
    await eventually(() => entriesOfKind(platen, at, 'nothing_to_fulfill')).toHaveLength(1);
    expect(await shippedOf(platen, at)).toMatchObject([{ lines: { [MUG]: 1 }, codes: [], mails: 0 }]);
  });
});

describe('tracking codes that the service corrects', () => {
  test('a corrected code and its carrier replace the old code without an email to the buyer', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await at.advance('shipped', [{ skus: [POSTER], code: 'WRONG-1', url: 'https://www.ups.com/track/1' }]);
    await until(at, [{ codes: ['WRONG-1'], company: 'UPS', mails: 1 }]);
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

  test('a code that is corrected and then changed back is the only code in its fulfillment', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await at.advance('shipped', [{ skus: [POSTER], code: 'FIRST-3' }]);
    await until(at, [{ codes: ['FIRST-3'] }]);
    await at.advance('shipped', [{ skus: [POSTER], code: 'OTHER-3', replaces: 'FIRST-3' }]);
    await until(at, [{ codes: ['OTHER-3'] }]);
    await at.advance('shipped', [{ skus: [POSTER], code: 'FIRST-3', replaces: 'OTHER-3' }]);
    await until(at, [{ lines: { [POSTER]: 1 }, codes: ['FIRST-3'], mails: 1 }]);
    await quiet(at);
    expect(await shippedOf(platen, at)).toMatchObject([{ codes: ['FIRST-3'] }]);
  });

  test('a corrected code does not replace a code that the merchant changed in the store, and the timeline records this', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await at.advance('shipped', [{ skus: [POSTER], code: 'WRONG-2' }]);
    await until(at, [{ codes: ['WRONG-2'] }]);
    const [made] = await fulfillmentsOf(platen, at);
    await updateFulfillmentTracking(
      await adminOf(platen),
      made?.id ?? '',
      { numbers: ['BY-HAND'] },
      { notifyCustomer: false },
    );
    await at.advance('shipped', [{ skus: [POSTER], code: 'RIGHT-2', replaces: 'WRONG-2' }]);
    await eventually(() => entriesOfKind(platen, at, 'tracking_left')).toHaveLength(1);
    await quiet(at);
    expect(await shippedOf(platen, at)).toMatchObject([{ codes: ['BY-HAND'], mails: 1 }]);
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

  test('a refused fulfillment holds the print order with a remedy until the fulfillment is created', async () => {
    const at = await placeAtService(platen, { [MUG]: 1 });
    await platen.control('store', 'POST', `${orderPath(at)}/move`, { to: 'other' });
    await at.advance('shipped', [{ skus: [MUG], code: 'REFUSED-1' }]);
    const holds = async () =>
      (await platen.listed(at.order.id)).holds.filter((one) => one.code === 'fulfillment_refused');
    await eventually(holds).toHaveLength(1);
    const [hold] = await holds();
    expect(hold?.message).toContain('another fulfillment service');
    expect(hold?.remedy).toContain('every hour');
    expect(await shippedOf(platen, at)).toEqual([]);
    await platen.control('store', 'POST', `${orderPath(at)}/move`, { to: 'own' });
    await quiet(at);
    await runPushNow(at);
    await until(at, [{ lines: { [MUG]: 1 }, codes: ['REFUSED-1'], mails: 1 }]);
    await eventually(holds).toEqual([]);
    expect(await platen.timeline(at.order.id)).toContain('hold_resolved');
    expect(await platen.printedFor(at.order.name)).toHaveLength(1);
  });

  /** Waits until a push is scheduled or has already run. Then runs a scheduled push immediately instead of a minute after the refusal. */
  async function runPushNow(at: OrderAtService): Promise<void> {
    const { printOrder } = at;
    const key = `push:${printOrder.storefrontOrderId}`;
    const waiting = async () => {
      const jobs = await platen.app.db.query<unknown[]>('select from graphile_worker.jobs where key = $1', [key]);
      return jobs.length + (await shippedOf(platen, at)).length;
    };
    await eventually(waiting).toBeGreaterThan(0);
    await enqueue(platen.app.db, 'push_fulfillments', { storefrontOrderId: printOrder.storefrontOrderId });
  }
});
