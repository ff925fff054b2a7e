import { toAddress } from '../orders/address.ts';
import { runMutation, UserError } from '../graphql/run-mutation.ts';
import { serviceView } from '../shop/shop-view.ts';
import type { Product } from '../products/product-state.ts';
import type { FulfillmentService, Shop } from '../state.ts';
import type { Store } from '../store.ts';
import type { View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

interface ServiceArguments {
  name?: string | null;
  callbackUrl?: string | null;
  inventoryManagement?: boolean | null;
  trackingSupport?: boolean | null;
  requiresShippingMethod?: boolean | null;
}

interface DeleteArguments {
  id: string;
  destinationLocationId?: string | null;
  inventoryAction?: 'DELETE' | 'KEEP' | 'TRANSFER' | null;
}

/** Returns the mutations for fulfillment services, each of which has its own location. */
export function serviceMutations(views: Views): View {
  const { store } = views;
  return {
    fulfillmentServiceCreate: (input: ServiceArguments) =>
      runMutation(['fulfillmentService'], () => {
        const { changed, service } = addService(store, views.shop, {
          ...input,
          name: input.name ?? '',
          ownedByApp: true,
        });
        return { fulfillmentService: serviceView(store, changed, service) };
      }),
    fulfillmentServiceUpdate: ({ id, ...input }: ServiceArguments & { id: string }) =>
      runMutation(['fulfillmentService'], () => {
        const { shop } = views;
        const before = findService(shop, id);
        const service: FulfillmentService = {
          ...before,
          serviceName: input.name ?? before.serviceName,
          callbackUrl: input.callbackUrl === undefined ? before.callbackUrl : input.callbackUrl,
          inventoryManagement: input.inventoryManagement ?? before.inventoryManagement,
          trackingSupport: input.trackingSupport ?? before.trackingSupport,
          requiresShippingMethod: input.requiresShippingMethod ?? before.requiresShippingMethod,
        };
        const fulfillmentServices = shop.fulfillmentServices.map((one) => (one.id === id ? service : one));
        const changed: Shop = { ...shop, fulfillmentServices };
        store.write([['put', 'shops', shop.domain, changed]]);
        return { fulfillmentService: serviceView(store, changed, service) };
      }),
    fulfillmentServiceDelete: (input: DeleteArguments) =>
      runMutation(['deletedId'], () => {
        deleteService(store, views.shop, input);
        return { deletedId: input.id };
      }),
  };
}

/** Adds a fulfillment service with its location. Throws a user error if the name is blank or already in use. */
export function addService(
  store: Store,
  shop: Shop,
  input: Omit<ServiceArguments, 'name'> & { name: string; ownedByApp: boolean },
): { changed: Shop; service: FulfillmentService } {
  const { name, ownedByApp } = input;
  if (name.trim() === '') throw new UserError(['name'], "Name can't be blank");
  if (shop.fulfillmentServices.some(({ serviceName }) => serviceName.toLowerCase() === name.toLowerCase())) {
    throw new UserError(['name'], 'Name has already been taken');
  }
  const now = store.clock.now().toISOString();
  const location = {
    id: store.newGid('Location'),
    name,
    isActive: true,
    address: toAddress({ countryCode: shop.address.countryCode }),
    createdAt: now,
    updatedAt: now,
  };
  const service: FulfillmentService = {
    id: `${store.newGid('FulfillmentService')}?id=true`,
    handle: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    serviceName: name,
    callbackUrl: input.callbackUrl ?? null,
    locationId: location.id,
    inventoryManagement: input.inventoryManagement ?? false,
    trackingSupport: input.trackingSupport ?? false,
    requiresShippingMethod: input.requiresShippingMethod ?? true,
    ownedByApp,
  };
  const changed: Shop = {
    ...shop,
    locations: [...shop.locations, location],
    fulfillmentServices: [...shop.fulfillmentServices, service],
  };
  store.write([['put', 'shops', shop.domain, changed]]);
  return { changed, service };
}

function findService(shop: Shop, id: string): FulfillmentService {
  const service = shop.fulfillmentServices.find((one) => one.id === id && one.ownedByApp);
  if (service) return service;
  throw new UserError(['id'], 'Fulfillment service could not be found.');
}

/**
 * Deletes a fulfillment service. Its location is also deleted unless the merchant keeps it, and the stock at the location is deleted unless
 * it is transferred.
 */
export function deleteService(store: Store, shop: Shop, input: DeleteArguments): void {
  const { locationId } = findService(shop, input.id);
  const action = input.inventoryAction ?? 'TRANSFER';
  const destination = shop.locations.find(({ id }) => id === input.destinationLocationId)?.id;
  if (action === 'TRANSFER' && destination === undefined) {
    throw new UserError(['destinationLocationId'], 'Destination location could not be found.');
  }
  const changed: Shop = {
    ...shop,
    locations: action === 'KEEP' ? shop.locations : shop.locations.filter(({ id }) => id !== locationId),
    fulfillmentServices: shop.fulfillmentServices.filter(({ id }) => id !== input.id),
  };
  const products =
    action === 'KEEP'
      ? []
      : store
          .products(shop.domain)
          .map((product) => withoutLocation(product, locationId, action === 'TRANSFER' ? destination : undefined));
  store.write([
    ['put', 'shops', shop.domain, changed],
    ...products.map((product) => ['put', 'products', product.id, product] as const),
  ]);
}

function withoutLocation(product: Product, locationId: string, destination: string | undefined): Product {
  const draft = structuredClone(product);
  for (const { inventoryItem: item } of draft.variants) {
    const leaving = item.levels.find((level) => level.locationId === locationId);
    const stocked = item.levels.some((level) => level.locationId === destination);
    item.levels = item.levels.filter((level) => level !== leaving);
    if (leaving && destination !== undefined && !stocked) item.levels.push({ ...leaving, locationId: destination });
  }
  return draft;
}
