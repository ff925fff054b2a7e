import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { buildClientSchema, buildSchema, extendSchema, parse, validate, validateSchema, concatAST } from 'graphql';
import type { DocumentNode, GraphQLSchema, IntrospectionQuery } from 'graphql';
import { listAccess, toAccessNotes } from './list-access.ts';
import type { AccessNotes } from './list-access.ts';
import { pruneSchema } from './prune-schema.ts';

/**
 * Renews `src/shopify/admin-2026-10.graphql`, the part of Shopify's Admin schema that the app's documents and the operations in
 * `scripts/schema-operations` use, and `admin-2026-10-access.json`, which lists the scopes of its types and fields and the protected
 * customer data. `admin-2026-10-additions.graphql` has types that the package lacks. Run with
 * `node scripts/renew-schema.ts [version of @shopify/dev-mcp]`.
 */
const apiVersion = '2026-10';
const packageVersion = process.argv[2] ?? '1.16.0';
const root = new URL('..', import.meta.url);
const target = new URL(`src/shopify/admin-${apiVersion}.graphql`, root);
const additionsSource = new URL(`src/shopify/admin-${apiVersion}-additions.graphql`, root);
const accessTarget = new URL(`src/shopify/admin-${apiVersion}-access.json`, root);
const accessComment = `Shopify Admin API ${apiVersion}, by scripts/renew-schema.ts from @shopify/dev-mcp ${packageVersion}. Any one scope of a list is sufficient. A field needs one scope from its own list, one from its type's list, and one from the list of the type that it returns. A write scope includes the read scope of the same name. Anything not listed needs no scope.`;
const run = promisify(execFile);

/** Types that keep all their fields, because the app reads and fulfills orders through them. */
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

const file = await readSchemaFile();
const additions = parse(await readFile(additionsSource, 'utf8'));
// Fails if the package already has one of the added types or fields.
const full = extendSchema(buildClientSchema(file.data), additions);
const documents = [await readDocument('scripts/schema-operations/'), await readDocument('src/shopify/documents/')];
const sdl = pruneSchema(full, documents, wholeTypes.trim().split(/\s+/));
const pruned = buildSchema(sdl);
assertUsable(pruned, documents);
await writeFile(
  target,
  `# Shopify Admin API ${apiVersion}, pruned by scripts/renew-schema.ts from @shopify/dev-mcp ${packageVersion}.\n${sdl}`,
);
const access = { $comment: accessComment, ...listAccess(pruned, file, toAccessNotes(additions)) };
await writeFile(accessTarget, JSON.stringify(access, null, 2));
await run('npx', ['oxfmt', fileURLToPath(accessTarget)]);
console.log(`${target.pathname}: ${sdl.length} characters`);

async function readSchemaFile(): Promise<AccessNotes & { data: IntrospectionQuery }> {
  const folder = await mkdtemp(join(tmpdir(), 'renew-schema-'));
  try {
    await run('npm', ['pack', `@shopify/dev-mcp@${packageVersion}`, '--silent', '--pack-destination', folder]);
    const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
    if (archive === undefined) throw new Error('npm pack created no archive');
    const member = `package/dist/data/admin_${apiVersion}.json.gz`;
    await run('tar', ['-xzf', join(folder, archive), '-C', folder, member]);
    return JSON.parse(gunzipSync(await readFile(join(folder, member))).toString('utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the `.graphql` files of a folder as one document, because they share fragments. */
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
