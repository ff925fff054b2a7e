import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { fillSettings } from '../../shops/settings/settings-schema.ts';
import type { ShippingRegions } from '../availability/decide-stock.ts';

/**
 * Finds the stock regions that a shop ships to: those named in its settings, or otherwise all regions that the print service has reported
 * for its products.
 */
export async function findShippingRegions(app: App, shop: Pick<Shop, 'id' | 'settings'>): Promise<ShippingRegions> {
  const { stockRegions, extendedCalls } = fillSettings(shop.settings);
  if (stockRegions !== null) return { places: stockRegions, are: 'named' };
  const rows: { place: string }[] = await app.db.query(
    'select distinct stock_region_uid as place from product_stock where shop_id = $1',
    [shop.id],
  );
  return { places: rows.map(({ place }) => place), are: extendedCalls ? 'read' : 'reported' };
}
