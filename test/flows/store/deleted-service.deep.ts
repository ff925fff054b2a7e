import { expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { requestReplan, untilPrintedOnce } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null });

const POSTER = 'POSTER-30X40';
const readShop = () => platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id });
const deleteService = () => platen.control('store', 'POST', `/shops/${platen.shop.domain}/delete-service`);
const reasonOf = async ({ id }: PlacedOrder) =>
  (await platen.app.db.manager.findOneBy(StorefrontOrders, { shopifyOrderId: id }))?.outcomeReason ?? null;

test('an order whose location lost its service while it waited is printed, and the service is created again', async () => {
  await changeSettings(platen.app, platen.shop, { delayMinutes: 60 });
  const order = await platen.placeSkus({ [POSTER]: 1 });
  await eventually(() => reasonOf(order)).toBe('delay');
  const before = await readShop();
  await deleteService();
  await changeSettings(platen.app, platen.shop, { delayMinutes: 0 });
  await requestReplan(platen, order);
  await untilPrintedOnce(platen, [order]);
  await eventually(async () => (await readShop()).fulfillmentServiceId).not.toBe(before.fulfillmentServiceId);
  expect((await readShop()).locationId).not.toBe(before.locationId);
  expect((await platen.listed(order.id)).holds).toEqual([]);
  // A new order is printed, and the parcel of the old one ships.
  const later = await platen.placeSkus({ [POSTER]: 1 });
  await untilPrintedOnce(platen, [later]);
  const [printed] = await platen.printedFor(order.name);
  for (const to of ['passed', 'printed', 'shipped']) {
    await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to });
    await untilIdle(platen.app);
  }
  await platen.untilState(order.id, 'fulfilled');
});
