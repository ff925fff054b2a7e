import { accessScopes } from './access-scopes.ts';
import { apiVersion } from './api-version.ts';
import { connection, type PageArguments } from './connection.ts';
import { digitsOf, toGid } from './gid.ts';
import { metafieldFields } from './metafields.ts';
import { locationView, serviceView, shopView } from './shop-view.ts';
import { subscribedTopics, type Topic } from './subscribed-topics.ts';
import { dateTime, notModelled, type View } from './view.ts';
import type { Views } from './views.ts';

interface LocationArguments extends PageArguments {
  query?: string | null;
  includeInactive?: boolean;
  includeLegacy?: boolean;
}

interface SubscriptionArguments extends PageArguments {
  topics?: string[] | null;
  query?: string | null;
}

/** The queries of the shop, its locations and what the app has installed there. */
export function shopQueries(views: Views): View {
  const { store, shop } = views;
  return {
    shop: () => shopView(store, shop),
    location: ({ id }: { id?: string | null }) => {
      const location = id ? shop.locations.find((one) => one.id === id) : shop.locations[0];
      return location ? locationView(store, shop, location) : null;
    },
    locations: ({ query, includeInactive, ...page }: LocationArguments) => {
      if (query) throw notModelled('a query of locations');
      const shown = shop.locations.filter(({ isActive }) => isActive || includeInactive);
      return connection(shown, page, (location) => locationView(store, shop, location));
    },
    fulfillmentService: ({ id }: { id: string }) => {
      const service = shop.fulfillmentServices.find((one) => one.id === id);
      return service ? serviceView(store, shop, service) : null;
    },
    currentAppInstallation: () => ({
      __typename: 'AppInstallation',
      id: shop.id.replace('Shop', 'AppInstallation'),
      accessScopes: accessScopes.map((handle) => ({ handle, description: handle })),
      launchUrl: store.options.appUrl,
      uninstallUrl: null,
      activeSubscriptions: [],
      app: { __typename: 'App', id: toGid('App', 1), handle: 'sandbox-app', title: 'Sandbox app' },
      ...metafieldFields(store, shop.id.replace('Shop', 'AppInstallation')),
    }),
    webhookSubscriptions: ({ topics, query, ...page }: SubscriptionArguments) => {
      if (query) throw notModelled('a query of webhookSubscriptions');
      const shown = subscribedTopics.filter((topic) => !topics?.length || topics.includes(enumTopic(topic)));
      return connection(shown, page, (topic) => subscriptionView(views, topic));
    },
    webhookSubscriptionsCount: { count: subscribedTopics.length, precision: 'EXACT' },
  };
}

/** A topic as WebhookSubscriptionTopic writes it: `orders/create` is `ORDERS_CREATE`. */
function enumTopic(topic: Topic): string {
  return topic.replace('/', '_').toUpperCase();
}

function subscriptionView({ store, shop }: Views, topic: Topic): View {
  const number = `${digitsOf(shop.id)}${subscribedTopics.indexOf(topic)}`;
  return {
    __typename: 'WebhookSubscription',
    id: toGid('WebhookSubscription', number),
    legacyResourceId: number,
    topic: enumTopic(topic),
    uri: `${store.options.appUrl}/webhooks/shopify`,
    apiVersion: { handle: apiVersion },
    filter: null,
    format: 'JSON',
    includeFields: [],
    metafieldNamespaces: [],
    name: null,
    createdAt: dateTime(shop.createdAt),
    updatedAt: dateTime(shop.createdAt),
  };
}
