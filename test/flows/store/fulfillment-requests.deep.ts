import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PrintLinks, type PrintLink } from '../../../src/database/entities/products.ts';
import { catchUpFulfillmentRequests } from '../../../src/orders/intake/catch-up-storefront-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { codesOf, entriesOf } from '../changes/manual-actions.ts';
import { printedOnce, runScheduledJobs } from '../changes/order-stages.ts';
import { injectFaults, inStore, requestReplan } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const POSTER = 'POSTER-30X40';
const MUG = 'MUG-11OZ';

let platen: Platen;
let mugLink: PrintLink;

beforeAll(async () => {
  // The store accepts no request for a fulfillment order on hold, but these tests request the fulfillment of held orders.
  const settings = { holdsInStore: false };
  platen = await startPlaten({ advanceSeconds: null, settings });
  mugLink = await platen.app.db.manager.findOneByOrFail(PrintLinks, { sku: MUG });
});
afterAll(() => platen.stop());
afterEach(async () => {
  await injectFaults(platen, [], 'store');
  await saveMugLink();
  await changeSettings(platen.app, platen.shop, { submitsRequests: true, sendsRestOfHeldOrders: false });
});

const saveMugLink = () => platen.app.db.manager.save(PrintLinks, mugLink);
const deleteMugLink = () => platen.app.db.manager.delete(PrintLinks, { sku: MUG });

async function requestStatusOf(order: PlacedOrder): Promise<string | undefined> {
  return (await platen.storeOrder(order.id)).fulfillmentOrders.at(-1)?.requestStatus;
}

const timelineMessages = async (order: PlacedOrder, kind: string) =>
  (await entriesOf(platen, order, kind)).map(({ message }) => message);

/** Places an order that waits for the merchant to request its fulfillment. */
async function placeUnrequested(lines: Record<string, number>): Promise<PlacedOrder> {
  await changeSettings(platen.app, platen.shop, { submitsRequests: false });
  const order = await platen.placeSkus(lines);
  const isPlanned = async () => (await platen.timeline(order.id)).some((kind) => kind === 'waiting' || kind === 'held');
  await eventually(isPlanned).toBe(true);
  return order;
}

async function untilPrinted(order: PlacedOrder, pieces: number): Promise<void> {
  const printed = async () => {
    await runScheduledJobs(platen, 1);
    return (await printedOnce(platen, order)).flatMap(({ items }) => items).reduce((sum, one) => sum + one.quantity, 0);
  };
  await eventually(printed).toBe(pieces);
  await requestReplan(platen, order);
  await runScheduledJobs(platen, 2);
  expect(await printed()).toBe(pieces);
}

test('a fulfillment request that Platen cannot print is rejected once, and the message names the line and the fix', async () => {
  await deleteMugLink();
  const order = await placeUnrequested({ [MUG]: 1, [POSTER]: 1 });
  await inStore(platen, order, 'request-fulfillment', { message: 'Please print.' });
  await eventually(() => requestStatusOf(order)).toBe('REJECTED');
  // Platen writes the timeline entry only after the store has accepted the rejection.
  await eventually(() => timelineMessages(order, 'rejected')).toHaveLength(1);
  const [rejection] = await timelineMessages(order, 'rejected');
  expect(rejection).toContain('The line with SKU MUG-11OZ has no print link');
  expect(rejection).toContain('Choose "Link this variant" to link it to a print product');
  expect(rejection).not.toContain(POSTER);
  expect(await codesOf(platen, order)).toEqual(['no_print_link']);
  await untilPrinted(order, 0);

  await saveMugLink();
  await changeSettings(platen.app, platen.shop, { submitsRequests: true });
  await requestReplan(platen, order);
  await untilPrinted(order, 0);
  expect(await requestStatusOf(order)).toBe('REJECTED');
  expect(await codesOf(platen, order)).toEqual([]);
  expect((await timelineMessages(order, 'waiting')).at(-1)).toContain('Request it again in the store');

  await inStore(platen, order, 'request-fulfillment');
  await untilPrinted(order, 2);
  expect(await timelineMessages(order, 'rejected')).toHaveLength(1);
});

test('a poll finds a fulfillment request whose callback and webhook were lost', async () => {
  const order = await placeUnrequested({ [POSTER]: 1 });
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  await inStore(platen, order, 'request-fulfillment');
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  expect(await catchUpFulfillmentRequests(platen.app, { shopId: platen.shop.id })).toMatchObject({ found: 1 });
  await untilPrinted(order, 1);
});
