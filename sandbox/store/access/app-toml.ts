import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { z } from 'zod';

/** A webhook topic as written in the toml and headers, such as `orders/create`. */
export type Topic = `${string}/${string}`;

/** A topic that the app subscribes to, and its target. */
interface Subscription {
  topic: string;
  /** A path of the app or a full URL. */
  uri: string;
  name: string | null;
  /** The fields that a body includes. Null includes all fields. */
  includeFields: string[] | null;
}

/** A definition of a metafield in the app's own namespace. */
interface MetafieldDefinition {
  /** ORDER, PRODUCT, … */
  ownerType: string;
  key: string;
  type: string;
  name: string;
  /** Whether an extension on a buyer's page may read the metafield. */
  isForBuyers: boolean;
}

/** The app's configuration as read from its `shopify.app.toml`. */
export interface AppToml {
  subscriptions: Subscription[];
  /** The scopes granted during the installation. */
  scopes: string[];
  /** The scopes that the app can request from the merchant later. */
  optionalScopes: string[];
  /** The metafield definitions that every shop has after the installation. */
  metafields: MetafieldDefinition[];
  /**
   * The URL at which the app receives requests from the store's pages, and the path of these requests in the store. Null without an app
   * proxy.
   */
  proxy: { url: string; path: string } | null;
  /** The paths to which an authorization code may be sent. The host is the app's own. */
  redirectPaths: string[];
}

const listed = z.string().transform((text) => text.split(',').flatMap((scope) => scope.trim() || []));

const owners: Readonly<Record<string, string>> = {
  order: 'ORDER',
  product: 'PRODUCT',
  variant: 'PRODUCTVARIANT',
  customer: 'CUSTOMER',
  shop: 'SHOP',
};

const definitionSchema = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  access: z.looseObject({ customer_account: z.string().default('none') }).optional(),
});

const definitionsSchema = z
  .looseObject({
    metafields: z
      .looseObject({
        app: z.record(z.string(), definitionSchema).optional(),
      })
      .optional(),
  })
  .optional();

const tomlSchema = z.looseObject({
  access_scopes: z.looseObject({ scopes: listed, optional_scopes: z.array(z.string()).default([]) }),
  ...Object.fromEntries(Object.keys(owners).map((owner) => [owner, definitionsSchema])),
  app_proxy: z.object({ url: z.string(), prefix: z.string(), subpath: z.string() }).optional(),
  auth: z.looseObject({ redirect_urls: z.array(z.url()) }),
  webhooks: z.looseObject({
    subscriptions: z
      .array(
        z.looseObject({
          topics: z.array(z.string()).default([]),
          compliance_topics: z.array(z.string()).default([]),
          uri: z.string(),
          name: z.string().nullable().default(null),
          include_fields: z.array(z.string()).nullable().default(null),
        }),
      )
      .default([]),
  }),
});

/** The `shopify.app.toml` of this repository. */
export const ownAppToml = fileURLToPath(new URL('../../../shopify.app.toml', import.meta.url));

/** Reads a `shopify.app.toml`. Throws if it cannot be read or lacks scopes, redirect URLs or webhooks. */
export function readAppToml(path: string): AppToml {
  const toml = tomlSchema.parse(parse(readFileSync(path, 'utf8')));
  return {
    subscriptions: toml.webhooks.subscriptions.flatMap(({ topics, compliance_topics, uri, name, include_fields }) =>
      [...topics, ...compliance_topics].map((topic) => ({ topic, uri, name, includeFields: include_fields })),
    ),
    scopes: toml.access_scopes.scopes,
    optionalScopes: toml.access_scopes.optional_scopes,
    metafields: Object.entries(owners).flatMap(([owner, ownerType]) =>
      Object.entries(definitionsSchema.parse(toml[owner])?.metafields?.app ?? {}).map(
        ([key, { type, name, access }]) => ({
          ownerType,
          key,
          type,
          name: name ?? key,
          isForBuyers: access?.customer_account.startsWith('read') ?? false,
        }),
      ),
    ),
    proxy: toml.app_proxy
      ? { url: toml.app_proxy.url, path: `/${toml.app_proxy.prefix}/${toml.app_proxy.subpath}` }
      : null,
    redirectPaths: toml.auth.redirect_urls.map((url) => new URL(url).pathname),
  };
}
