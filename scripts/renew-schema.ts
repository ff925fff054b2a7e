import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { buildClientSchema, buildSchema, parse, validate, validateSchema, concatAST } from 'graphql';
import type { DocumentNode, GraphQLSchema, IntrospectionQuery } from 'graphql';
import { pruneSchema } from './prune-schema.ts';

/**
 * Renews `src/shopify/admin-2026-10.graphql`: the part of Shopify's Admin schema that the app's documents and the
 * operations in `scripts/schema-operations` use. Run with `node scripts/renew-schema.ts [version of @shopify/dev-mcp]`.
 */
const apiVersion = '2026-10';
const packageVersion = process.argv[2] ?? '1.16.0';
const root = new URL('..', import.meta.url);
const target = new URL(`src/shopify/admin-${apiVersion}.graphql`, root);

/** Kept with every field of theirs, for they are what an order is read and fulfilled by. */
const wholeTypes = `
  Order LineItem ShippingLine LocalizedField Attribute MailingAddress MoneyBag MoneyV2 Weight Count PageInfo
  FulfillmentOrder FulfillmentOrderLineItem FulfillmentOrderAssignedLocation FulfillmentOrderDestination
  FulfillmentOrderSupportedAction FulfillmentOrderMerchantRequest FulfillmentOrderLineItemWarning
  FulfillmentHold DeliveryMethod DeliveryMethodAdditionalInformation Fulfillment FulfillmentLineItem
  FulfillmentTrackingInfo FulfillmentEvent FulfillmentOriginAddress FulfillmentService Shop ShopPlan
  ShopAddress Domain Product ProductVariant ProductOption SelectedOption Image Metafield InventoryItem
  InventoryItemMeasurement InventoryLevel InventoryQuantity Location LocationAddress Refund RefundLineItem
  OrderTransaction TaxLine WebhookSubscription AccessScope AppInstallation App Job DeliveryCarrierService
`;

const full = await readFullSchema();
const documents = [await readDocument('scripts/schema-operations/'), await readDocument('src/shopify/documents/')];
const sdl = pruneSchema(full, documents, wholeTypes.trim().split(/\s+/));
assertUsable(buildSchema(sdl), documents);
await writeFile(
  target,
  `# Shopify Admin API ${apiVersion}, pruned by scripts/renew-schema.ts from @shopify/dev-mcp ${packageVersion}.\n${sdl}`,
);
console.log(`${target.pathname}: ${sdl.length} characters`);

async function readFullSchema(): Promise<GraphQLSchema> {
  const folder = await mkdtemp(join(tmpdir(), 'renew-schema-'));
  const run = promisify(execFile);
  try {
    await run('npm', ['pack', `@shopify/dev-mcp@${packageVersion}`, '--silent', '--pack-destination', folder]);
    const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
    if (archive === undefined) throw new Error('npm pack left no archive');
    const member = `package/dist/data/admin_${apiVersion}.json.gz`;
    await run('tar', ['-xzf', join(folder, archive), '-C', folder, member]);
    const text = gunzipSync(await readFile(join(folder, member))).toString('utf8');
    return buildClientSchema(introspectionOf(JSON.parse(text)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function introspectionOf(file: { data: IntrospectionQuery }): IntrospectionQuery {
  return file.data;
}

/** The `.graphql` files of a folder as one document, for they share fragments. */
async function readDocument(folder: string): Promise<DocumentNode> {
  const names = await readdir(new URL(folder, root));
  const files = names.filter((name) => name.endsWith('.graphql')).toSorted();
  const texts = await Promise.all(files.map((name) => readFile(new URL(folder + name, root), 'utf8')));
  return parse(texts.join('\n'));
}

function assertUsable(schema: GraphQLSchema, used: readonly DocumentNode[]): void {
  const errors = [...validateSchema(schema), ...validate(schema, concatAST(used))];
  if (errors.length > 0) throw new Error(errors.map((error) => error.message).join('\n'));
}
