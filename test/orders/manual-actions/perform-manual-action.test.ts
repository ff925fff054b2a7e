import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { NotFoundError } from '../../../src/errors.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

let app: OpenTestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const LOCKED = `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

test('an action on an order whose row is deleted during the action fails like an action on an unknown order', async () => {
  const shop = await addShop(app.db);
  const shopifyOrderId = 'gid://shopify/Order/7001';
  const { manager } = app.db;
  await manager.insert(StorefrontOrders, { shopId: shop.id, shopifyOrderId, name: '#7001', placedAt: new Date() });
  const acted = await app.db.transaction(async (deleting) => {
    await deleting.delete(StorefrontOrders, { shopId: shop.id, shopifyOrderId });
    const acting = performManualAction(app, shop, {
      order: shopifyOrderId,
      action: 'approve',
      printOrder: null,
      by: 'flow',
    });
    const ended = acting.catch((error: unknown) => error);
    await expect.poll(async () => (await manager.query(LOCKED))[0].waiting).toBeGreaterThan(0);
    return { ended };
  });
  expect(await acted.ended).toBeInstanceOf(NotFoundError);
});
