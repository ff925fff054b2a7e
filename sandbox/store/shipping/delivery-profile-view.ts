import { connection, type PageArguments } from '../graphql/connection.ts';
import { toNumericId, toGid } from '../graphql/gid.ts';
import type { CarrierService, DeliveryProfile, Location, Shop } from '../state.ts';
import { notModeledError, type View } from '../graphql/view.ts';

/** The names of every shop's shipping zones. Each zone contains the merchant's own rates and the rates of added carrier services. */
const ZONES = ['Domestic', 'Rest of world'];

/** Returns the view for the GraphQL type DeliveryCarrierService. */
export function carrierServiceView({ id, name, callbackUrl, active, supportsServiceDiscovery }: CarrierService): View {
  const formattedName = `${name} (Rates provided by app)`;
  return {
    __typename: 'DeliveryCarrierService',
    id,
    name,
    formattedName,
    callbackUrl,
    active,
    supportsServiceDiscovery,
  };
}

/** Returns the carrier services in the shop's shipping profile, including inactive ones. */
export function carriersInProfile({ carrierServices = [], carriersInProfiles = [] }: Shop): CarrierService[] {
  return carrierServices.filter(({ id }) => carriersInProfiles.includes(id));
}

/** Returns the shop's delivery profiles. The first one is the general profile, which every shop has. */
export function profilesOf({ id, deliveryProfiles }: Shop): readonly DeliveryProfile[] {
  const name = 'General profile';
  const general = {
    id: toGid('DeliveryProfile', toNumericId(id)),
    name,
    productIds: [],
    unassigned: [],
    withoutRates: [],
  };
  return deliveryProfiles?.length ? deliveryProfiles : [general];
}

/** Returns the profile of a product: the general profile unless another profile lists the product. */
export function profileOf(shop: Shop, productId: string): DeliveryProfile {
  const profiles = profilesOf(shop);
  const found = profiles.find(({ productIds }) => productIds.includes(productId)) ?? profiles[0];
  if (!found) throw new Error('the shop has no general delivery profile');
  return found;
}

/** Returns GraphQL's DeliveryProfile. Its locations are in two groups: one with rates and one without. */
export function deliveryProfileView(shop: Shop, profile: DeliveryProfile): View {
  const { id, name, unassigned, withoutRates } = profile;
  const assigned = shop.locations.filter((location) => !unassigned.includes(location.id));
  const number = toNumericId(id);
  const groups = [
    { number, zones: ZONES, locations: assigned.filter((one) => !withoutRates.includes(one.id)) },
    { number: `${number}9`, zones: [], locations: assigned.filter((one) => withoutRates.includes(one.id)) },
  ];
  return {
    __typename: 'DeliveryProfile',
    id,
    name,
    default: profilesOf(shop)[0]?.id === id,
    locationsWithoutRatesCount: shop.locations.length - (groups[0]?.locations.length ?? 0),
    unassignedLocations: () => shop.locations.filter((one) => unassigned.includes(one.id)).map(locationBrief),
    profileLocationGroups: () => groups.filter((one) => one.locations.length > 0).map((one) => groupView(shop, one)),
  };
}

/** Returns the fields of a location that a profile shows. The `location` query reads all fields. */
function locationBrief({ id, name, isActive }: Location): View {
  return { __typename: 'Location', id, name, isActive };
}

function groupView(shop: Shop, group: { number: string; zones: readonly string[]; locations: Location[] }): View {
  const { number, zones, locations } = group;
  return {
    __typename: 'DeliveryProfileLocationGroup',
    locationGroup: {
      __typename: 'DeliveryLocationGroup',
      id: toGid('DeliveryLocationGroup', number),
      locationsCount: { count: locations.length, precision: 'EXACT' },
      locations: ({ query, ...page }: PageArguments & { query?: string | null }) => {
        if (query) throw notModeledError('a query of locations');
        return connection(locations, page, locationBrief);
      },
    },
    locationGroupZones: (page: PageArguments) =>
      connection(
        zones.map((_, index) => `${number}${index}`),
        page,
        (zone) => zoneView(shop, zone),
      ),
  };
}

function zoneView(shop: Shop, zone: string): View {
  const own = { id: zone, type: 'MERCHANT', carrier: null };
  const offered = carriersInProfile(shop).map((carrier) => ({
    id: `${zone}${toNumericId(carrier.id)}`,
    type: 'PARTICIPANT',
    carrier,
  }));
  return {
    __typename: 'DeliveryLocationGroupZone',
    zone: { __typename: 'DeliveryZone', id: toGid('DeliveryZone', zone) },
    methodDefinitions: ({ type, ...page }: PageArguments & { type?: string | null }) =>
      connection(
        [own, ...offered].filter((method) => !type || method.type === type),
        page,
        methodView,
      ),
  };
}

function methodView({ id, carrier }: { id: string; carrier: CarrierService | null }): View {
  return {
    __typename: 'DeliveryMethodDefinition',
    id: toGid('DeliveryMethodDefinition', id),
    active: true,
    rateProvider: carrier
      ? {
          __typename: 'DeliveryParticipant',
          id: toGid('DeliveryParticipant', id),
          carrierService: carrierServiceView(carrier),
        }
      : { __typename: 'DeliveryRateDefinition', id: toGid('DeliveryRateDefinition', id) },
  };
}
