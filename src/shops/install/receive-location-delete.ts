import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { enqueueSyncAllVariants } from '../enqueue-shop-jobs.ts';

/**
 * Handles the deletion of a location by the merchant. With Platen's location, the store also deletes the fulfillment service and no longer
 * routes orders there. The next sign-in or daily check creates the service again. Other locations are ignored. Safe to repeat.
 */
export async function receiveLocationDelete(
  app: App,
  shop: Pick<Shop, 'id'>,
  locationId: string | undefined,
): Promise<'handled' | 'not_ours'> {
  if (locationId === undefined) return 'not_ours';
  const gone = { fulfillmentServiceId: null, locationId: null };
  const { affected } = await app.db.manager.update(Shops, { id: shop.id, locationId }, gone);
  if (affected !== 1) return 'not_ours';
  await enqueueSyncAllVariants(app, app.db, shop.id);
  return 'handled';
}
