import { z } from 'zod';
import { describeIssue } from '../../describe-issue.ts';
import { InvalidInputError } from '../../errors.ts';
import { MAX_FILE_URL_LENGTH, readFileUrl, type FileUrlFault } from '../check-link/read-file-url.ts';

/** A print link's values. Optional values that are not set are null. */
export interface LinkValues {
  productUid: string;
  fileUrl: string | null;
  pageCount: number | null;
  envelopeProductUid: string | null;
  envelopesPerPiece: number | null;
}

/** A print link's target: a variant or, without a variant, every variant with this SKU. If both are specified, the SKU has no effect. */
export interface LinkTarget {
  shopifyVariantId: string | null;
  sku: string | null;
}

export type LinkToSave = LinkTarget & LinkValues;

export interface LinkIssue {
  field: string;
  message: string;
}

/** The characters of a product UID that are safe in request paths. */
const UID = /^[A-Za-z0-9_-][A-Za-z0-9._~-]*$/;
const UID_LENGTH = 200;
const VARIANT = 'gid://shopify/ProductVariant/';
const DIGITS = /^[1-9]\d{0,19}$/;
/** The maximum length of a SKU in the store. */
const SKU_LENGTH = 255;
const MAX_PAGES = 10_000;
const MAX_ENVELOPES = 1_000;

const VARIANT_RULE = `must be a variant ID: the number at the end of the variant's address in the store's admin, or ${VARIANT} and that number`;
const UID_RULE = `must be a product UID from the print service's catalog: letters, digits and - _ . ~ without spaces, at most ${UID_LENGTH} characters`;
const PAGES_RULE = `must be a whole number from 1 to ${MAX_PAGES} that counts all pages, including both sides of the covers. Leave the field empty for a product without pages`;
/** The rule for each error in an address. */
const URL_RULES: Readonly<Record<FileUrlFault, string>> = {
  file_address_unusable: "must be the print file's full address, such as https://files.example/mug.pdf",
  file_not_https: 'must begin with https://, so that nobody can replace the file in transit',
  file_has_password: 'must not contain a user name or password',
  file_has_port: 'must not contain a port (the number after the server name)',
  file_host_not_public: 'must have a public server name, not an IP address or localhost',
};

const blankToNull = (value: unknown): unknown => {
  if (value === undefined) return null;
  return typeof value === 'string' ? value.trim() || null : value;
};
const optional = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(blankToNull, schema.nullable());
/** Converts a number's text, as in a CSV cell, to a number. */
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
const counted = (most: number, message: string) =>
  optional(
    z.preprocess(
      toNumber,
      z.number(message).refine((one) => isWhole(one, most), message),
    ),
  );
const uid = z.string(UID_RULE).refine((value) => value.length <= UID_LENGTH && UID.test(value), UID_RULE);

export const linkSchema = z.strictObject({
  variantId: optional(z.union([z.string(), z.number()], VARIANT_RULE).transform(toVariantId)),
  sku: optional(
    z
      .string('must be text')
      .refine(isSku, `must be a SKU exactly as in the store: one line, at most ${SKU_LENGTH} characters`),
  ),
  productUid: z.preprocess((value) => blankToNull(value) ?? undefined, uid),
  fileUrl: optional(
    z.string('must be text').superRefine((value, context) => {
      const fault = findUrlFault(value);
      if (fault !== null) context.addIssue(fault);
    }),
  ),
  pageCount: counted(MAX_PAGES, PAGES_RULE),
  envelopeProductUid: optional(uid),
  envelopesPerPiece: counted(MAX_ENVELOPES, `must be a whole number from 1 to ${MAX_ENVELOPES}`),
});

export type LinkField = keyof typeof linkSchema.shape;
export const linkFields = Object.keys(linkSchema.shape) as LinkField[];

/**
 * Checks a print link that a person or a file supplied. Returns the link, or all issues, each with its field and rule
 * (docs/rules/print-interface.md#create-item: `productUid`, `fileUrl`, `pageCount`). Does not check whether the product and the file exist.
 */
export function checkLink(input: Record<string, unknown>): LinkToSave | LinkIssue[] {
  const parsed = linkSchema.safeParse(input, { error: describeIssue });
  const issues: LinkIssue[] = parsed.success ? [] : parsed.error.issues.map(toIssue);
  const isGiven = (field: LinkField): boolean => blankToNull(input[field]) !== null;
  if (!isGiven('variantId') && !isGiven('sku'))
    issues.push({ field: 'variantId', message: 'is missing: enter a variant or a SKU' });
  if (isGiven('envelopeProductUid') !== isGiven('envelopesPerPiece')) {
    const field = isGiven('envelopeProductUid') ? 'envelopesPerPiece' : 'envelopeProductUid';
    issues.push({
      field,
      message: 'is missing: an envelope needs its product UID and the number of envelopes per piece',
    });
  }
  if (!parsed.success || issues.length > 0) return issues;
  const { variantId, ...link } = parsed.data;
  return { shopifyVariantId: variantId, ...link };
}

/** Checks a print link like `checkLink` and returns it. Throws InvalidInputError for the first issue. */
export function parseLink(input: Record<string, unknown>): LinkToSave {
  const checked = checkLink(input);
  if (!Array.isArray(checked)) return checked;
  const [{ field, message } = { field: 'body', message: 'is not a print link' }] = checked;
  throw new InvalidInputError(field, `${field}: ${message}.`);
}

/** Parses only a link's target. Throws InvalidInputError. */
export function parseTarget({ variantId, sku }: { variantId?: unknown; sku?: unknown }): LinkTarget {
  const { shopifyVariantId, sku: ofSku } = parseLink({ variantId, sku, productUid: 'any' });
  return { shopifyVariantId, sku: ofSku };
}

/** Returns a target's name for messages: `variant 42` or `SKU MUG-11OZ`. */
export function describeTarget({ shopifyVariantId, sku }: LinkTarget): string {
  return shopifyVariantId === null ? `SKU ${sku}` : `variant ${shopifyVariantId.slice(VARIANT.length)}`;
}

function toIssue(issue: z.core.$ZodIssue): LinkIssue {
  if (issue.code !== 'unrecognized_keys') return { field: String(issue.path[0] ?? 'body'), message: issue.message };
  return {
    field: issue.keys[0] ?? 'body',
    message: `is not a field of a print link. The fields are ${linkFields.join(', ')}`,
  };
}

function toVariantId(value: string | number, context: z.RefinementCtx): string {
  const text = String(value).trim();
  const digits = text.startsWith(VARIANT) ? text.slice(VARIANT.length) : text;
  if (digits.length <= 20 && DIGITS.test(digits)) return VARIANT + digits;
  const isShortened = /^\d[.,]?\d{0,20}E\+?\d{1,2}$/i.test(text.slice(0, 40));
  const message = isShortened
    ? 'was shortened by a spreadsheet: format the column as text, and enter the ID again'
    : VARIANT_RULE;
  context.addIssue(message);
  return z.NEVER;
}

function isSku(value: string): boolean {
  return value.length <= SKU_LENGTH && isOneLine(value);
}

export function findUrlFault(value: string): string | null {
  if (value.length > MAX_FILE_URL_LENGTH) return `must have at most ${MAX_FILE_URL_LENGTH} characters`;
  if (!isOneLine(value) || /\s/.test(value)) return 'must not contain spaces. Write each space as %20';
  const { problem } = readFileUrl(value);
  if (problem !== null) return URL_RULES[problem.code];
  // Rejects addresses such as `https:files.example` and `https:\\files.example`. The address is sent to the print service unchanged, and
  // only some programs accept these forms.
  return /^https:\/\/[^/?#\\]+(?:[/?#][^\\]*)?$/i.test(value) ? null : URL_RULES.file_not_https;
}

/** Returns whether a text contains no characters that end a line, control a terminal or cannot be stored in the database. */
function isOneLine(value: string): boolean {
  return value.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(value);
}

function isWhole(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}
