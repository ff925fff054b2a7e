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

/** The most names that are tried: `Platen`, `Platen 2`, … */
const MOST_NAMES = 5;

/**
 * Finds the app's fulfillment service in a shop by its ID. If the ID is unknown or no longer exists, finds the service by its name, or
 * creates it. Sets the service's callback URL. Repeated calls change nothing, even if the merchant has renamed the service. If the name is
 * taken, for example by the location of a deleted service, the service gets the name with a number.
 */
export async function ensureFulfillmentService(
  admin: AdminApi,
  name: string,
  callbackUrl: string,
  knownId: string | null = null,
): Promise<FulfillmentService> {
  const { shop } = await admin.request(FulfillmentServicesDocument, {});
  const services = shop.fulfillmentServices;
  const names = [name, ...Array.from({ length: MOST_NAMES - 1 }, (_, index) => `${name} ${index + 2}`)];
  const found =
    services.find(({ id }) => id === knownId) ?? services.find(({ serviceName }) => names.includes(serviceName));
  if (!found) return createService(admin, names, callbackUrl);
  if (found.callbackUrl === callbackUrl) return toFulfillmentService(FulfillmentServicesDocument.name, found);
  const data = await admin.request(UpdateFulfillmentServiceDocument, { id: found.id, callbackUrl });
  return toFulfillmentService(UpdateFulfillmentServiceDocument.name, data.fulfillmentServiceUpdate?.fulfillmentService);
}

/** Creates the service under the first of the names that the store accepts. */
async function createService(
  admin: AdminApi,
  [name = '', ...others]: readonly string[],
  callbackUrl: string,
): Promise<FulfillmentService> {
  const operation = CreateFulfillmentServiceDocument.name;
  try {
    const data = await admin.request(CreateFulfillmentServiceDocument, { name, callbackUrl });
    return toFulfillmentService(operation, data.fulfillmentServiceCreate?.fulfillmentService);
  } catch (error) {
    const isTaken = error instanceof ShopifyError && error.userErrors.some(({ field }) => field === 'name');
    if (!isTaken || others.length === 0) throw error;
    return createService(admin, others, callbackUrl);
  }
}

/** Returns whether the store has the app's fulfillment service with this ID. Throws ShopifyError. */
export async function hasFulfillmentService(admin: AdminApi, id: string | null): Promise<boolean> {
  const { shop } = await admin.request(FulfillmentServicesDocument, {});
  return shop.fulfillmentServices.some((service) => service.id === id);
}

function toFulfillmentService(
  operation: string,
  details: FulfillmentServiceDetailsFragment | null | undefined,
): FulfillmentService {
  if (!details?.location) throw new ShopifyError('unavailable', { operation, effect: 'unknown', status: 200 });
  const { id, handle, location, callbackUrl } = details;
  return { id, handle, locationId: location.id, callbackUrl };
}
