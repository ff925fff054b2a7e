import type { AdminApi } from '../admin/admin-api.ts';
import { ShopifyError } from '../admin/errors.ts';
import {
  CreateFulfillmentServiceDocument,
  FulfillmentServicesDocument,
  UpdateFulfillmentServiceDocument,
} from '../generated/operations.ts';
import type { FulfillmentServiceDetailsFragment } from '../generated/operations.ts';

/** This app as one of the store's fulfillment services, with the location to which fulfillment orders are routed. */
export interface FulfillmentService {
  id: string;
  handle: string;
  locationId: string;
  callbackUrl: string | null;
}

/**
 * Finds the app's fulfillment service in a shop by its ID. If the ID is unknown or no longer exists, finds the service by its name, or
 * creates it. Sets the service's callback URL. Repeated calls change nothing, even if the merchant has renamed the service.
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
