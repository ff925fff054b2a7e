import { z } from 'zod';
import type { listUnlinkedVariants } from '../../../orders/unlinked/list-unlinked-variants.ts';
import type { markOwnStock } from '../../../orders/unlinked/mark-own-stock.ts';
import type { findWaitingOrders, settleUnlinkedLines } from '../../../orders/unlinked/settle-unlinked-lines.ts';
import { linksFromTemplateSchema, type linkFromTemplate } from '../../../products/from-template/link-from-template.ts';
import type { listMetafieldProblems } from '../../../products/link-metafields/list-metafield-problems.ts';
import type { recheckLinks } from '../../../products/links/recheck-links.ts';
import type { ImportedLinks } from '../../../products/links/import-links.ts';
import type { listVariantLinks } from '../../../products/links/list-variant-links.ts';
import type { NamedLink } from '../../../products/links/name-links.ts';
import { linkSchema } from '../../../products/links/parse-link.ts';
import type { ShownLink } from '../../../products/links/show-links.ts';
import { jsonResponse, csv, describeRoute, jsonBody, type ResultOf } from '../route.ts';
import { after, count, errorSchema, next, savedCount, text, time, units, waitingForLink } from './shared.ts';

/** The orders that are waiting for the saved link. Absent if no order is waiting. */
interface WithWaitingOrders {
  waiting?: NonNullable<ResultOf<typeof findWaitingOrders>>;
}

const { variantId, sku, productUid, ...values } = linkSchema.shape;
const target = { variantId: variantId.optional(), sku: sku.optional() };
const onlyTarget = z.strictObject(target);
/** The query parameters that identify a link's target. */
const named = z.object({ variantId: z.string(), sku: z.string() }).partial();

const linkBody = z.union([
  z.strictObject({ ...target, productUid, ...z.object(values).partial().shape }),
  onlyTarget.extend({ copyFrom: onlyTarget }),
]);

const problem = { field: z.string(), message: text, remedy: text };
const link = z
  .strictObject({
    variantId: z.string().nullable(),
    sku: z.string().nullable(),
    productUid: z.string(),
    fileUrl: z.string().nullable(),
    pageCount: z.int().nullable(),
    envelopeProductUid: z.string().nullable(),
    envelopesPerPiece: z.int().nullable(),
    source: z.enum(['merchant', 'metafields']),
    problems: z.array(z.strictObject({ code: z.string(), ...problem })),
    checkedAt: time.nullable(),
    updatedAt: time,
  })
  .meta({ id: 'PrintLink' });

const namedLink = link
  .extend({ title: z.string().nullable(), connection: z.string().nullable() })
  .meta({ id: 'NamedPrintLink' });

const linkedVariant = z
  .strictObject({
    variantId: z.string(),
    title: z.string(),
    sku: z.string().nullable(),
    printLink: link.nullable(),
    connection: z.string().nullable(),
  })
  .meta({ id: 'LinkedVariant' });

const plannedRow = z.strictObject({
  row: count,
  variantId: z.string().nullable(),
  sku: z.string().nullable(),
  productUid: z.string(),
  change: z.enum(['created', 'changed', 'unchanged']),
});
const imported = {
  ...savedCount,
  dryRun: z.boolean(),
  rows: count,
  ignoredColumns: z.array(z.string()),
  errors: z.array(
    z.strictObject({
      row: count,
      column: z.string().nullable(),
      message: text,
      written: z
        .string()
        .exactOptional()
        .meta({ description: 'The variant or SKU as the row contains it, in a dry run.' }),
    }),
  ),
  notChecked: z.array(text),
  planned: z.array(plannedRow).exactOptional(),
};

const unlinked = z.strictObject({
  variants: z.array(
    z.strictObject({
      variantId: z.string().nullable(),
      productId: z.string().nullable(),
      sku: z.string().nullable(),
      adminUrl: z.string().nullable(),
      orders: count,
      units: count,
      since: time,
      linked: z.boolean(),
    }),
  ),
  orders: z.strictObject({ notLinked: count, linked: count }),
  next,
});

const settled = jsonResponse<typeof settleUnlinkedLines>()(
  z.strictObject({
    dryRun: z.boolean(),
    orders: count,
    units: count,
    since: time.nullable(),
    found: z.array(z.strictObject({ orderId: z.string(), name: z.string(), placedAt: time, lines: z.array(units) })),
  }),
);
const dryRun = z.boolean().default(false);
const settleBody = jsonBody(
  z.union([z.strictObject({ ...target, dryRun }), z.strictObject({ all: z.literal(true), dryRun })]),
);
const storeId = z.union([z.string(), z.int()]);
const undo = z.boolean().default(false);

const linkedFromTemplate = z.strictObject({
  ...savedCount,
  dryRun: z.boolean(),
  templateId: z.string(),
  linked: z.array(
    z.strictObject({
      productId: z.string(),
      variantId: z.string(),
      title: z.string(),
      templateVariantId: z.string(),
      productUid: z.string(),
      fileUrl: z.string(),
    }),
  ),
  notLinked: z.array(
    z.strictObject({
      productId: z.string(),
      variantId: z.string().nullable(),
      title: z.string().nullable(),
      code: z.enum([
        'other_options',
        'no_such_variant',
        'ambiguous',
        'same_options',
        'no_product',
        'no_such_product',
        'no_file',
      ]),
      message: text,
    }),
  ),
});

export const printLinksRoutes = [
  describeRoute('GET /api/print-links', {
    query: named.extend({ after }),
    answers: {
      200: jsonResponse<{ printLinks: NamedLink[]; next: string | null }>()(
        z.strictObject({ printLinks: z.array(namedLink), next }),
      ),
    },
    errors: [400],
  }),
  describeRoute('GET /api/print-links/variants', {
    query: z.object({ productId: z.string(), variantId: z.string() }).partial().extend({ after }),
    answers: {
      200: jsonResponse<typeof listVariantLinks>()(z.strictObject({ variants: z.array(linkedVariant), next })),
    },
    errors: [400, 404],
  }),
  describeRoute('PUT /api/print-links', {
    body: jsonBody(linkBody),
    answers: {
      200: jsonResponse<ShownLink & WithWaitingOrders>()(link.extend({ waiting: waitingForLink.exactOptional() })),
    },
    errors: [400, 404],
  }),
  describeRoute('DELETE /api/print-links', { query: named, answers: { 204: null }, errors: [400, 404] }),
  describeRoute('GET /api/print-links/metafield-problems', {
    query: z.object({ after }),
    answers: {
      200: jsonResponse<typeof listMetafieldProblems>()(
        z.strictObject({
          variants: z.array(
            z.strictObject({ variantId: z.string(), problems: z.array(z.strictObject(problem)), readAt: time }),
          ),
          next,
        }),
      ),
    },
    errors: [400],
  }),
  describeRoute('POST /api/print-links/check', {
    query: named,
    answers: { 202: jsonResponse<{ checking: ResultOf<typeof recheckLinks> }>()(z.strictObject({ checking: count })) },
    errors: [400, 404],
  }),
  describeRoute('POST /api/print-links/import', {
    query: z.object({ dryRun: z.boolean().optional() }),
    body: { ...csv, isRequired: true },
    answers: {
      200: jsonResponse<ImportedLinks & WithWaitingOrders>()(
        z.strictObject({ ...imported, waiting: waitingForLink.exactOptional() }),
      ),
      400: { type: 'application/json', schema: z.union([errorSchema, errorSchema.extend(imported)]) },
    },
  }),
  describeRoute('POST /api/print-links/from-template', {
    body: jsonBody(linksFromTemplateSchema),
    answers: { 200: jsonResponse<typeof linkFromTemplate>()(linkedFromTemplate) },
    errors: [400, 404, 409],
  }),
  describeRoute('GET /api/print-links/waiting', {
    query: z.object({ after }),
    answers: { 200: jsonResponse<typeof listUnlinkedVariants>()(unlinked) },
    errors: [400],
  }),
  describeRoute('POST /api/print-links/print', {
    body: settleBody,
    answers: { 200: settled, 202: settled },
    errors: [400, 409],
  }),
  describeRoute('POST /api/print-links/leave', {
    body: settleBody,
    answers: { 200: settled, 202: settled },
    errors: [400],
  }),
  describeRoute('POST /api/print-links/own', {
    body: jsonBody(
      z.union([z.strictObject({ productId: storeId, undo }), z.strictObject({ variantId: storeId, undo })]),
    ),
    answers: {
      200: jsonResponse<{ changed: ResultOf<typeof markOwnStock> }>()(z.strictObject({ changed: z.boolean() })),
    },
    errors: [400],
  }),
  describeRoute('GET /api/print-links/export', { answers: { 200: csv } }),
];
