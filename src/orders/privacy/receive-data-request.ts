import type { App } from '../../app.ts';
import type { Delivery } from '../../database/entities/deliveries.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { savePrivacyRequest, toCustomerRequest } from './save-privacy-request.ts';

/** Handles `customers/data_request`: stores the request, which is open until the first export (`exportPersonalData`). Safe to repeat. */
export async function receiveDataRequest(
  app: App,
  shop: Pick<Shop, 'id' | 'domain'>,
  delivery: Pick<Delivery, 'resourceIds' | 'receivedAt'>,
): Promise<string> {
  const kept = await app.db.transaction((manager) =>
    savePrivacyRequest(manager, shop, 'data_request', toCustomerRequest(delivery)),
  );
  app.log.info({ shop: shop.domain, requestId: kept.id }, 'a customer requested their data');
  return 'handled';
}
