import { parse } from 'smol-toml';
import { z } from 'zod';

/** Facts from the code with which `shopify.app.toml` is compared. */
export interface AppFacts {
  /** Webhook topics as the schema spells them: `ORDERS_CREATE`. */
  topics: ReadonlySet<string>;
  hasHandler: (topic: string) => boolean;
  hasRoute: (method: 'GET' | 'POST', path: string) => Promise<boolean>;
  apiVersions: readonly string[];
  /** The types of the order's metafields that the app writes, by key. */
  orderMetafields: Readonly<Record<string, string>>;
  /** The keys of the order's metafields that an extension shows to buyers. */
  buyerMetafields: readonly string[];
  installScopes: readonly string[];
  optionalScopes: readonly string[];
}

const COMPLIANCE_TOPICS = ['customers/data_request', 'customers/redact', 'shop/redact'];

/** A definition of a metafield that a merchant can read and only the app can write. */
const metafieldSchema = z.strictObject({
  type: z.enum(['single_line_text_field', 'list.single_line_text_field', 'multi_line_text_field', 'date']),
  name: z.string().min(1).max(60),
  description: z.string().min(1).max(100),
  access: z.strictObject({ admin: z.literal('merchant_read'), customer_account: z.literal('read').optional() }),
});

const tomlSchema = z.strictObject({
  client_id: z.string().regex(/^[0-9a-f]{32}$/, 'is not a client id'),
  name: z.string().max(30),
  handle: z.string().regex(/^[a-z0-9-]+$/),
  application_url: z.string(),
  embedded: z.literal(true),
  build: z.strictObject({
    automatically_update_urls_on_dev: z.literal(false),
    include_config_on_deploy: z.literal(true),
  }),
  access_scopes: z.strictObject({
    scopes: z.string(),
    optional_scopes: z.array(z.string()),
    use_legacy_install_flow: z.literal(false),
  }),
  auth: z.strictObject({ redirect_urls: z.array(z.string()).min(1) }),
  app_proxy: z.strictObject({ url: z.string(), prefix: z.literal('apps'), subpath: z.literal('platen') }),
  order: z.strictObject({
    metafields: z.strictObject({ app: z.record(z.string().regex(/^[a-z0-9_]{2,64}$/), metafieldSchema) }),
  }),
  webhooks: z.strictObject({
    api_version: z.string(),
    subscriptions: z.array(
      z.strictObject({
        topics: z.array(z.string()).default([]),
        compliance_topics: z.array(z.string()).default([]),
        // The fields of these bodies that `toResourceIds` and the endpoint read.
        include_fields: z.array(z.enum(['id', 'admin_graphql_api_id', 'order_id', 'updated_at'])).optional(),
        uri: z.string(),
      }),
    ),
  }),
});

type AppToml = z.infer<typeof tomlSchema>;

/** Returns the problems of a `shopify.app.toml` that `shopify app build` does not check, one per line. */
export async function checkAppToml(text: string, facts: AppFacts): Promise<string[]> {
  const parsed = tomlSchema.safeParse(parse(text));
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const toml = parsed.data;
  return [
    ...checkTopics(toml, facts),
    ...(await checkAddresses(toml, facts)),
    ...checkScopes(toml.access_scopes, facts),
    ...compareLists(
      'order.metafields.app',
      toTypes(toml.order.metafields.app),
      Object.entries(facts.orderMetafields).map(String),
    ),
    ...compareLists(
      "buyers' metafields",
      Object.entries(toml.order.metafields.app).flatMap(([key, { access }]) => (access.customer_account ? [key] : [])),
      facts.buyerMetafields,
    ),
    ...facts.apiVersions
      .filter((version) => version !== toml.webhooks.api_version)
      .map((version) => `api_version is ${toml.webhooks.api_version}, and the code's ${version}`),
  ];
}

function checkTopics({ webhooks: { subscriptions } }: AppToml, { topics, hasHandler }: AppFacts): string[] {
  const declared = subscriptions.flatMap((one) => one.topics);
  const compliance = subscriptions.flatMap((one) => one.compliance_topics);
  const all = [...declared, ...compliance];
  return [
    ...declared
      .filter((topic) => !topics.has(toEnumValue(topic)))
      .map((topic) => `${topic} is not a topic of the schema`),
    ...compliance
      .filter((topic) => !COMPLIANCE_TOPICS.includes(topic))
      .map((topic) => `${topic} is not a compliance topic`),
    ...COMPLIANCE_TOPICS.filter((topic) => !compliance.includes(topic)).map((topic) => `${topic} is missing`),
    ...all.filter((topic, index) => all.indexOf(topic) !== index).map((topic) => `${topic} is subscribed to twice`),
    ...all.filter((topic) => !hasHandler(topic)).map((topic) => `${topic} has no handler`),
  ];
}

/** Converts a topic to its spelling in the schema: `orders/create` becomes ORDERS_CREATE. */
function toEnumValue(topic: string): string {
  return topic.toUpperCase().replace('/', '_');
}

async function checkAddresses(toml: AppToml, { hasRoute }: AppFacts): Promise<string[]> {
  const problems: string[] = [];
  for (const url of [toml.application_url, ...toml.auth.redirect_urls]) {
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') problems.push(`${url} is not an https address`);
    else if (!(await hasRoute('GET', new URL(url).pathname))) problems.push(`GET ${url} is not a route`);
  }
  const proxied = `${toml.app_proxy.url}/estimate`;
  if (!(await hasRoute('GET', proxied))) problems.push(`GET ${proxied} is not a route`);
  for (const uri of new Set(toml.webhooks.subscriptions.map((one) => one.uri))) {
    if (!uri.startsWith('/')) problems.push(`${uri} does not follow application_url`);
    else if (!(await hasRoute('POST', uri))) problems.push(`POST ${uri} is not a route`);
  }
  return problems;
}

function checkScopes(declared: AppToml['access_scopes'], facts: AppFacts): string[] {
  return [
    ...compareLists('scopes', declared.scopes.split(','), facts.installScopes),
    ...compareLists('optional_scopes', declared.optional_scopes, facts.optionalScopes),
  ];
}

function toTypes(definitions: AppToml['order']['metafields']['app']): string[] {
  return Object.entries(definitions).map(([key, { type }]) => `${key},${type}`);
}

function compareLists(name: string, declared: readonly string[], wanted: readonly string[]): string[] {
  return [
    ...wanted.filter((one) => !declared.includes(one)).map((one) => `${one} is missing from ${name}`),
    ...declared.filter((one) => !wanted.includes(one)).map((one) => `${one} is not needed in ${name}`),
    ...declared
      .filter((one, index) => declared.indexOf(one) !== index)
      .map((one) => `${one} is listed twice in ${name}`),
  ];
}
