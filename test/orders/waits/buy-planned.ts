import { planStorefrontOrder } from '../../../src/orders/plan/plan-storefront-order.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../../src/database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { receiveOrder } from '../../../src/orders/intake/receive-order.ts';
import type { TestShop } from '../../shipments/test-shop.ts';

/** Places an order in the store, plans it, and returns it with its first print order. The test runs the jobs itself. */
export async function buyPlanned(
  shop: TestShop,
  units: Record<string, number> = { 'POSTER-30X40': 1 },
): Promise<{ storefrontOrder: StorefrontOrder; printOrder: PrintOrder }> {
  const { app } = shop;
  const variants = await shop.inStore<{ sku: string; variantId: string; productUid: string }[]>('/variants');
  for (const { variantId: shopifyVariantId, productUid } of variants.filter(({ sku }) => sku in units)) {
    const link = { shopId: shop.shop.id, shopifyVariantId };
    if (!(await app.db.manager.existsBy(PrintLinks, link)))
      await app.db.manager.insert(PrintLinks, { ...link, productUid, fileUrl: 'https://files.example/poster.pdf' });
  }
  await shop.set({ delayMinutes: 0, submitsRequests: false });
  const order = await shop.buy(units);
  await receiveOrder(app, shop.shop, order.id, { name: order.name, placedAt: new Date() });
  const storefrontOrder = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: order.id });
  const { id: storefrontOrderId } = storefrontOrder;
  await planStorefrontOrder(app, { storefrontOrderId });
  const first = { where: { storefrontOrderId }, order: { part: 'ASC' } } as const;
  return { storefrontOrder, printOrder: await app.db.manager.findOneOrFail(PrintOrders, first) };
}
