import { PrintLinks } from '../../src/database/entities/products.ts';
import { saveLink } from '../../src/products/links/save-link.ts';
import { syncCarrierService } from '../../src/rates/sync-carrier-service.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import type { Platen } from '../helpers/platen.ts';

/** The number of orders on each of the last days, starting with the earliest day. */
const ORDERS_PER_DAY = [1, 0, 2, 1, 3, 2, 0, 2, 4, 3, 1, 2, 3, 5, 2, 1, 3, 4, 2, 3, 2, 4, 3, 1];
const SKUS = ['POSTER-30X40', 'MUG-11OZ', 'TSHIRT-M', 'POSTER-13X18'];

/** The number of checkouts that request shipping prices, and the number of their destinations. */
const CHECKOUTS = 60;
const DESTINATIONS = 12;

/** The orders that the screenshots show. */
export interface ScreenshotOrders {
  shipped: string;
  held: string;
  /** A product with one linked variant and one that is not linked. */
  product: string;
}

/** Fills the demo shop with a month of orders: shipped, in production, on hold and waiting. */
export async function fillShop(platen: Platen): Promise<ScreenshotOrders> {
  const shipped: { id: string; days: number }[] = [];
  for (const [index, count] of ORDERS_PER_DAY.entries())
    for (let number = 0; number < count; number += 1) {
      const { id, name } = await platen.placeSkus({ [SKUS[(index + number) % SKUS.length] ?? '']: 1 + (number % 2) });
      await platen.untilState(id, 'printing');
      await advance(platen, name, 'shipped');
      await platen.untilState(id, 'fulfilled');
      shipped.push({ id, days: ORDERS_PER_DAY.length - 1 - index });
    }
  for (const sku of SKUS) {
    const { id, name } = await platen.placeSkus({ [sku]: 1 });
    await platen.untilState(id, 'printing');
    await advance(platen, name, 'in_production');
  }
  const held = await platen.placeSkus({ 'POSTER-30X40': 1, 'MUG-11OZ': 1 }, { shippingAddress: null });
  await platen.untilState(held.id, 'held');
  await requestRates(platen);
  await untilIdle(platen.app);
  for (const { id, days } of shipped) if (days > 0) await backdateOrder(platen, id, days);
  return { shipped: shipped.at(-1)?.id ?? '', held: held.id, product: await addProduct(platen) };
}

async function addProduct({ app, shop, control }: Platen): Promise<string> {
  const variants = ['A3', 'A2'].map((title) => ({ title, sku: `SUNSET-${title}`, price: '20.00' }));
  const given = (await control('store', 'POST', '/products', { title: 'Sunset', variants })) as {
    productId: string;
    variants: { variantId: string }[];
  };
  const [link] = await app.db.manager.find(PrintLinks, { take: 1 });
  const productUid = link?.productUid;
  const variantId = given.variants[0]?.variantId.split('/').at(-1);
  await saveLink(app, shop, { variantId, productUid, fileUrl: 'https://files.example.com/sunset.pdf' });
  return given.productId;
}

/** Offers shipping prices and has checkouts request them. The last requests are answered from the cache. */
async function requestRates({ app, shop, control }: Platen): Promise<void> {
  await control('store', 'POST', `/shops/${shop.domain}/scopes`, { grant: ['write_shipping'] });
  const fallbackRates = [{ name: 'Standard', countries: ['*'], amount: '6.90' }];
  await changeSettings(app, shop, { liveRates: true, fallbackRates });
  await control('store', 'POST', `/shops/${shop.domain}`, { carrierCalculatedShipping: true });
  await syncCarrierService(app, { shopId: shop.id });
  await control('store', 'POST', `/shops/${shop.domain}`, { carrierInProfiles: true });
  await syncCarrierService(app, { shopId: shop.id });
  const variants = (await control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const items = variants.filter(({ sku }) => SKUS.includes(sku)).map(({ variantId }) => ({ variantId, quantity: 1 }));
  for (let checkout = 0; checkout < CHECKOUTS; checkout += 1) {
    const zip = String(10_000 + (checkout % DESTINATIONS));
    const destination = { firstName: 'Ada', lastName: 'Lovelace', address1: 'Invalidenstr. 1', city: 'Berlin', zip };
    await control('store', 'POST', '/rates', { destination: { ...destination, countryCode: 'DE' }, items });
  }
}

async function advance(platen: Platen, name: string, to: string): Promise<void> {
  for (const { id } of await platen.printedFor(name))
    await platen.control('print', 'POST', `/orders/${id}/advance`, { to });
}

/** Moves an order's times into the past, because the stand-ins place orders now. Printing then seems to take its usual time. */
async function backdateOrder({ app }: Platen, orderId: string, days: number): Promise<void> {
  const by = [orderId, days];
  await app.db.query(
    `update storefront_orders set placed_at = placed_at - make_interval(days => $2), paid_at = paid_at - make_interval(days => $2)
     where shopify_order_id = $1`,
    by,
  );
  await app.db.query(
    `update print_orders p set confirmed_at = p.confirmed_at - make_interval(days => $2, mins => -31 - $2),
       shipped_at = least(now(), p.shipped_at - make_interval(days => $2, hours => -40 - $2))
     from storefront_orders o where o.id = p.storefront_order_id and o.shopify_order_id = $1`,
    by,
  );
}
