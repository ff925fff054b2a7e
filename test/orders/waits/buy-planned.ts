import { planStorefrontOrder } from '../../../src/orders/plan/plan-storefront-order.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../../src/database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { receiveOrder } from '../../../src/orders/intake/receive-order.ts';
import type { TestShop } from '../../shipments/test-shop.ts';

const SKU = 'POSTER-30X40';

/** Places an order in the store, plans it, and returns it with its print order. The test runs the jobs itself. */
export async function buyPlanned(
  shop: TestShop,
): Promise<{ storefrontOrder: StorefrontOrder; printOrder: PrintOrder }> {
  const { app } = shop;
  const variants = await shop.inStore<{ sku: string; variantId: string; productUid: string }[]>('/variants');
  const { variantId: shopifyVariantId = '', productUid = '' } = variants.find(({ sku }) => sku === SKU) ?? {};
  const link = { shopId: shop.shop.id, shopifyVariantId };
  if (!(await app.db.manager.existsBy(PrintLinks, link)))
    await app.db.manager.insert(PrintLinks, { ...link, productUid, fileUrl: 'https://files.example/poster.pdf' });
  await shop.set({ delayMinutes: 0, submitsRequests: false });
  const order = await shop.buy({ [SKU]: 1 });
  await receiveOrder(app, shop.shop, order.id, { name: order.name, placedAt: new Date() });
  const storefrontOrder = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: order.id });
  const { id: storefrontOrderId } = storefrontOrder;
  await planStorefrontOrder(app, { storefrontOrderId });
  return { storefrontOrder, printOrder: await app.db.manager.findOneByOrFail(PrintOrders, { storefrontOrderId }) };
}
