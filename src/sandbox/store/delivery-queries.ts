import { connection, type PageArguments } from './connection.ts';
import { digitsOf, toGid } from './gid.ts';
import { type Field, search } from './search.ts';
import type { CarrierService, Shop } from './state.ts';
import type { View } from './view.ts';
import type { Views } from './views.ts';

interface CarrierArguments extends PageArguments {
  query?: string | null;
}

const carrierFields: Readonly<Record<string, Field<CarrierService>>> = {
  id: { text: ({ id }) => digitsOf(id) },
  active: { text: ({ active }) => String(active) },
};

/** Each shop's zones, whose rates are the merchant's own and those of the carrier services added to them. */
const ZONES = ['Domestic', 'Rest of world'];

/** The queries of carrier services and of the shipping profiles that have them. */
export function deliveryQueries(views: Views): View {
  const carriers = () => views.shop.carrierServices ?? [];
  return {
    carrierService: ({ id }: { id: string }) => {
      const found = carriers().find((one) => one.id === id);
      return found ? carrierServiceView(found) : null;
    },
    carrierServices: ({ query, ...page }: CarrierArguments) =>
      connection(search(carriers(), query, carrierFields), page, carrierServiceView),
    deliveryProfiles: (page: PageArguments) => connection([views.shop], page, generalProfileView),
  };
}

/** GraphQL's DeliveryCarrierService. */
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

/** The carrier services that the shop's shipping profile has, those that are switched off too. */
export function carriersInProfile({ carrierServices = [], carriersInProfiles = [] }: Shop): CarrierService[] {
  return carrierServices.filter(({ id }) => carriersInProfiles.includes(id));
}

/** GraphQL's DeliveryProfile that every shop has. */
function generalProfileView(shop: Shop): View {
  const number = digitsOf(shop.id);
  return {
    __typename: 'DeliveryProfile',
    id: toGid('DeliveryProfile', number),
    name: 'General profile',
    default: true,
    profileLocationGroups: () => [
      {
        __typename: 'DeliveryProfileLocationGroup',
        locationGroup: { __typename: 'DeliveryLocationGroup', id: toGid('DeliveryLocationGroup', number) },
        locationGroupZones: (page: PageArguments) =>
          connection(
            ZONES.map((_, index) => `${number}${index}`),
            page,
            (zone) => zoneView(shop, zone),
          ),
      },
    ],
  };
}

function zoneView(shop: Shop, zone: string): View {
  const own = { id: zone, type: 'MERCHANT', carrier: null };
  const offered = carriersInProfile(shop).map((carrier) => ({
    id: `${zone}${digitsOf(carrier.id)}`,
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
