import type { AdminApi } from '../admin/admin-api.ts';
import { ShopifyError } from '../admin/errors.ts';
import {
  CreateFulfillmentServiceDocument,
  FulfillmentServicesDocument,
  UpdateFulfillmentServiceDocument,
} from '../generated/operations.ts';
import type { FulfillmentServiceDetailsFragment } from '../generated/operations.ts';

/** This app as the store's fulfilment service, with the location that fulfilment orders are routed to. */
export interface FulfillmentService {
  id: string;
  handle: string;
  locationId: string;
  callbackUrl: string | null;
}

/**
 * The app's fulfilment service in a shop: found by its id or, where that is not known or gone, by its name, and given the callback
 * URL, or created. Doing it twice changes nothing; that the merchant has renamed it, too.
 */
export async function ensureFulfillmentService(
  admin: AdminApi,
  name: string,
  callbackUrl: string,
  knownId: string | null = null,
): Promise<FulfillmentService> {
  const { shop } = await admin.request(FulfillmentServicesDocument, {});
  const services = shop.fulfillmentServices;
  const found = services.find(({ id }) => id === knownId) ?? services.find(({ serviceName }) => serviceName === name);
  if (!found) {
    const data = await admin.request(CreateFulfillmentServiceDocument, { name, callbackUrl });
    return toFulfillmentService(
      CreateFulfillmentServiceDocument.name,
      data.fulfillmentServiceCreate?.fulfillmentService,
    );
  }
  if (found.callbackUrl === callbackUrl) return toFulfillmentService(FulfillmentServicesDocument.name, found);
  const data = await admin.request(UpdateFulfillmentServiceDocument, { id: found.id, callbackUrl });
  return toFulfillmentService(UpdateFulfillmentServiceDocument.name, data.fulfillmentServiceUpdate?.fulfillmentService);
}

function toFulfillmentService(
  operation: string,
  details: FulfillmentServiceDetailsFragment | null | undefined,
): FulfillmentService {
  if (!details?.location) throw new ShopifyError('unavailable', { operation, effect: 'unknown', status: 200 });
  const { id, handle, location, callbackUrl } = details;
  return { id, handle, locationId: location.id, callbackUrl };
}
