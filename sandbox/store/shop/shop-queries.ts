import { connection, type PageArguments } from '../graphql/connection.ts';
import { apiVersion } from '../graphql/api-version.ts';
import { toGid } from '../graphql/gid.ts';
import { definitionsOf, definitionView } from '../metafields/definitions.ts';
import { fullNamespace, metafieldFields } from '../metafields/metafields.ts';
import { locationView, serviceView, shopView, toInstallationId } from './shop-view.ts';
import { allowedScopes } from '../access/scopes.ts';
import { notModeledError, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

interface LocationArguments extends PageArguments {
  query?: string | null;
  includeInactive?: boolean;
  includeLegacy?: boolean;
}

interface DefinitionArguments extends PageArguments {
  ownerType: string;
  namespace?: string | null;
  key?: string | null;
  pinnedStatus?: 'ANY' | 'PINNED' | 'UNPINNED';
  query?: string | null;
}

/** Returns the queries for the shop, its locations and the app's installation. */
export function shopQueries(views: Views): View {
  const { store, shop } = views;
  const installationId = toInstallationId(shop);
  return {
    shop: () => shopView(store, shop),
    location: ({ id }: { id?: string | null }) => {
      const location = id ? shop.locations.find((one) => one.id === id) : shop.locations[0];
      return location ? locationView(store, shop, location) : null;
    },
    locations: ({ query, includeInactive, ...page }: LocationArguments) => {
      if (query) throw notModeledError('a query of locations');
      const shown = shop.locations.filter(({ isActive }) => isActive || includeInactive);
      return connection(shown, page, (location) => locationView(store, shop, location));
    },
    fulfillmentService: ({ id }: { id: string }) => {
      const service = shop.fulfillmentServices.find((one) => one.id === id);
      return service ? serviceView(store, shop, service) : null;
    },
    currentAppInstallation: () => ({
      __typename: 'AppInstallation',
      id: installationId,
      accessScopes: toAccessScopes([...views.scopes]),
      launchUrl: store.options.appUrl,
      uninstallUrl: null,
      activeSubscriptions: [],
      app: {
        __typename: 'App',
        id: toGid('App', 1),
        handle: 'sandbox-app',
        title: 'Sandbox app',
        apiKey: store.options.apiKey,
        requestedAccessScopes: toAccessScopes([...allowedScopes(store.options.app.scopes)]),
        optionalAccessScopes: toAccessScopes([...allowedScopes(store.options.app.optionalScopes)]),
      },
      ...metafieldFields(store, installationId),
    }),
    metafieldDefinitions: ({
      ownerType,
      namespace,
      key,
      pinnedStatus = 'ANY',
      query,
      ...page
    }: DefinitionArguments) => {
      if (query) throw notModeledError('a query of metafield definitions');
      const found = definitionsOf(views).filter(
        (one) =>
          one.ownerType === ownerType &&
          (!namespace || one.namespace === fullNamespace(namespace)) &&
          (!key || one.key === key) &&
          (pinnedStatus === 'ANY' || one.isPinned === (pinnedStatus === 'PINNED')),
      );
      return connection(found, page, definitionView);
    },
    // Lists only subscriptions created through the API, not those in the toml. Only the control endpoint creates them.
    webhookSubscriptions: (page: PageArguments) => connection(toSubscriptions(shop), page, (one) => one),
    webhookSubscriptionsCount: { count: toSubscriptions(shop).length, precision: 'EXACT' },
  };
}

function toSubscriptions({ apiSubscriptions = [] }: Views['shop']): (View & { id: string })[] {
  return apiSubscriptions.map((topic, index) => ({
    __typename: 'WebhookSubscription',
    id: toGid('WebhookSubscription', index + 1),
    topic,
    apiVersion: { __typename: 'ApiVersion', handle: apiVersion },
  }));
}

function toAccessScopes(handles: readonly string[]): View[] {
  return handles.map((handle) => ({ __typename: 'AccessScope', handle, description: handle }));
}
