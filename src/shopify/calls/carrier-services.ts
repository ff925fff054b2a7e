import type { AdminApi } from '../admin/admin-api.ts';
import { ShopifyError } from '../admin/errors.ts';
import {
  CarrierServicesDocument,
  CreateCarrierServiceDocument,
  DeleteCarrierServiceDocument,
  DeliveryProfilesWithCarriersDocument,
  UpdateCarrierServiceDocument,
} from '../generated/operations.ts';
import type { CarrierServiceDetailsFragment } from '../generated/operations.ts';
import { readAll } from '../admin/read-pages.ts';

/** A service in the store that provides shipping rates at checkout. */
export interface CarrierService {
  id: string;
  name: string | null;
  active: boolean;
  callbackUrl: string | null;
}

const PAGE_SIZE = 50;
/** Matches Shopify's message if the store's plan does not allow rates from apps. */
const PLAN_REFUSAL_MESSAGE = /carrier.?calculated shipping/i;

/** Finds the carrier service with this ID, otherwise with this name. Returns null if the store shows neither to the app. */
export async function findCarrierService(
  admin: AdminApi,
  wanted: { id: string | null; name: string },
): Promise<CarrierService | null> {
  const readPage = async (after: string | null) =>
    (await admin.request(CarrierServicesDocument, { first: PAGE_SIZE, after })).carrierServices;
  const services = await readAll(CarrierServicesDocument.name, await readPage(null), readPage);
  const found = services.find(({ id }) => id === wanted.id) ?? services.find(({ name }) => name === wanted.name);
  return found ? toCarrierService(CarrierServicesDocument.name, found) : null;
}

/**
 * Registers a carrier service. Throws ShopifyError. `isPlanRefusal` recognizes the error from a store whose plan does not allow carrier
 * services.
 */
export async function createCarrierService(
  admin: AdminApi,
  { name, callbackUrl }: { name: string; callbackUrl: string },
): Promise<CarrierService> {
  // Service discovery is off, because the admin's discovery requests contain no cart that could be quoted.
  const input = { name, callbackUrl, active: true, supportsServiceDiscovery: false };
  const { carrierServiceCreate } = await admin.request(CreateCarrierServiceDocument, { input });
  return toCarrierService(CreateCarrierServiceDocument.name, carrierServiceCreate?.carrierService);
}

/** Changes a carrier service's address and activates the service. Throws ShopifyError. */
export async function updateCarrierService(
  admin: AdminApi,
  { id, callbackUrl }: { id: string; callbackUrl: string },
): Promise<CarrierService> {
  const input = { id, callbackUrl, active: true };
  const { carrierServiceUpdate } = await admin.request(UpdateCarrierServiceDocument, { input });
  return toCarrierService(UpdateCarrierServiceDocument.name, carrierServiceUpdate?.carrierService);
}

/** Removes a carrier service and its rates from the store's shipping profiles. Throws ShopifyError. */
export async function deleteCarrierService(admin: AdminApi, id: string): Promise<void> {
  await admin.request(DeleteCarrierServiceDocument, { id });
}

/** Whether the store refused a carrier service because of the store's plan (docs/rules/shopify.md#carrier-service-plan). */
export function isPlanRefusal(error: unknown): boolean {
  if (!(error instanceof ShopifyError) || error.kind !== 'user_error') return false;
  return error.userErrors.some(({ message }) => PLAN_REFUSAL_MESSAGE.test(message));
}

/** Whether one of the store's shipping profiles includes this carrier service. Otherwise, no checkout calls it. */
export async function isInShippingProfiles(admin: AdminApi, carrierServiceId: string): Promise<boolean> {
  const readPage = async (after: string | null) =>
    (await admin.request(DeliveryProfilesWithCarriersDocument, { after })).deliveryProfiles;
  const profiles = await readAll(DeliveryProfilesWithCarriersDocument.name, await readPage(null), readPage);
  return profiles.some(({ profileLocationGroups }) =>
    profileLocationGroups
      .flatMap(({ locationGroupZones }) => locationGroupZones.nodes)
      .flatMap(({ methodDefinitions }) => methodDefinitions.nodes)
      .some(
        ({ active, rateProvider }) =>
          active && 'carrierService' in rateProvider && rateProvider.carrierService?.id === carrierServiceId,
      ),
  );
}

function toCarrierService(
  operation: string,
  details: CarrierServiceDetailsFragment | null | undefined,
): CarrierService {
  if (!details) throw new ShopifyError('unavailable', { operation, effect: 'unknown', status: 200 });
  const { id, name, active, callbackUrl } = details;
  return { id, name, active, callbackUrl };
}
