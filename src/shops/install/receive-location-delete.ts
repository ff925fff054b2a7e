import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { enqueueKeepAllVariants } from '../keep-all-variants.ts';

/**
 * The merchant deleted a location: with ours, the fulfilment service is gone. Nothing is routed to us any more, and the next sign-in finds
 * or makes the service anew, as an install does. Another location is none of our business. Safe to repeat.
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
  await enqueueKeepAllVariants(app, app.db, shop);
  return 'handled';
}
