import { toNumericId } from '../graphql/gid.ts';
import { metafieldFields } from '../metafields/metafields.ts';
import type { Address, FulfillmentService, Location, Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { dateTime, type View } from '../graphql/view.ts';

/** Returns the GID of the app's installation in the shop. */
export function toInstallationId({ id, appInstallationId }: Shop): string {
  return appInstallationId ?? id.replace('Shop', 'AppInstallation');
}

/** Returns the view for the GraphQL type Shop. */
export function shopView(store: Store, shop: Shop): View {
  return {
    __typename: 'Shop',
    id: shop.id,
    name: shop.name,
    email: shop.email,
    contactEmail: shop.contactEmail,
    shopOwnerName: 'Sandbox Owner',
    currencyCode: shop.currencyCode,
    enabledPresentmentCurrencies: [shop.currencyCode],
    myshopifyDomain: shop.domain,
    primaryDomain: { id: shop.id.replace('Shop', 'Domain'), host: shop.domain, url: `https://${shop.domain}` },
    url: `https://${shop.domain}`,
    ianaTimezone: shop.ianaTimezone,
    weightUnit: 'GRAMS',
    unitSystem: 'METRIC_SYSTEM',
    taxesIncluded: false,
    setupRequired: false,
    createdAt: dateTime(shop.createdAt),
    plan: { publicDisplayName: 'Basic', partnerDevelopment: true, shopifyPlus: false },
    shopAddress: shopAddressView(shop),
    billingAddress: shopAddressView(shop),
    fulfillmentServices: () => shop.fulfillmentServices.map((service) => serviceView(store, shop, service)),
    ...metafieldFields(store, shop.id),
  };
}

function shopAddressView(shop: Shop): View {
  return { id: shop.id.replace('Shop', 'ShopAddress'), ...addressFields(shop.address) };
}

/** Returns the fields that shop, location and mailing addresses share. */
export function addressFields(address: Address): View {
  return { ...address, countryCodeV2: address.countryCode };
}

/** Returns the view for the GraphQL type Location. */
export function locationView(store: Store, shop: Shop, location: Location): View {
  const service = shop.fulfillmentServices.find(({ locationId }) => locationId === location.id);
  return {
    __typename: 'Location',
    id: location.id,
    legacyResourceId: toNumericId(location.id),
    name: location.name,
    isActive: location.isActive,
    isFulfillmentService: service !== undefined,
    fulfillsOnlineOrders: true,
    shipsInventory: true,
    fulfillmentService: () => (service ? serviceView(store, shop, service) : null),
    address: { ...addressFields(location.address), formatted: [] },
    createdAt: dateTime(location.createdAt),
    updatedAt: dateTime(location.updatedAt),
    ...metafieldFields(store, location.id),
  };
}

/** Returns the view for the GraphQL type FulfillmentService. */
export function serviceView(store: Store, shop: Shop, service: FulfillmentService): View {
  const location = shop.locations.find(({ id }) => id === service.locationId);
  return {
    __typename: 'FulfillmentService',
    id: service.id,
    handle: service.handle,
    serviceName: service.serviceName,
    callbackUrl: service.callbackUrl,
    type: 'THIRD_PARTY',
    inventoryManagement: service.inventoryManagement,
    trackingSupport: service.trackingSupport,
    requiresShippingMethod: service.requiresShippingMethod,
    location: () => (location ? locationView(store, shop, location) : null),
  };
}
