import { connection, type PageArguments } from '../graphql/connection.ts';
import { carrierServiceView, deliveryProfileView, profilesOf } from './delivery-profile-view.ts';
import { toNumericId } from '../graphql/gid.ts';
import { type Field, search } from '../graphql/search.ts';
import type { CarrierService } from '../state.ts';
import type { View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

interface CarrierArguments extends PageArguments {
  query?: string | null;
}

const carrierFields: Readonly<Record<string, Field<CarrierService>>> = {
  id: { text: ({ id }) => toNumericId(id) },
  active: { text: ({ active }) => String(active) },
};

/** Returns the queries for carrier services and shipping profiles. */
export function deliveryQueries(views: Views): View {
  const carriers = () => views.shop.carrierServices ?? [];
  return {
    carrierService: ({ id }: { id: string }) => {
      const found = carriers().find((one) => one.id === id);
      return found ? carrierServiceView(found) : null;
    },
    carrierServices: ({ query, ...page }: CarrierArguments) =>
      connection(search(carriers(), query, carrierFields), page, carrierServiceView),
    deliveryProfiles: (page: PageArguments) =>
      connection(profilesOf(views.shop), page, (profile) => deliveryProfileView(views.shop, profile)),
    deliveryProfile: ({ id }: { id: string }) => {
      const found = profilesOf(views.shop).find((one) => one.id === id);
      return found ? deliveryProfileView(views.shop, found) : null;
    },
  };
}
