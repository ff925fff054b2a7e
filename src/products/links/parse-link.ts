import { z } from 'zod';
import { InvalidInputError } from '../../errors.ts';
import { LONGEST_FILE_URL, readFileUrl, type FileUrlFault } from '../check-link/read-file-url.ts';

/** What a print link says of the product that is printed; null where it says nothing. */
export interface LinkValues {
  productUid: string;
  fileUrl: string | null;
  pageCount: number | null;
  envelopeProductUid: string | null;
  envelopesPerPiece: number | null;
}

/** What a print link is for: a variant, or without one every variant of a SKU. Beside a variant the SKU decides nothing. */
export interface LinkTarget {
  shopifyVariantId: string | null;
  sku: string | null;
}

export type LinkToSave = LinkTarget & LinkValues;

export interface LinkIssue {
  field: string;
  message: string;
}

/** Of a product uid, as far as the calls that carry it in their path go. */
const UID = /^[A-Za-z0-9_-][A-Za-z0-9._~-]*$/;
const UID_LENGTH = 200;
const VARIANT = 'gid://shopify/ProductVariant/';
const DIGITS = /^[1-9]\d{0,19}$/;
/** As long as a SKU of the store can be. */
const SKU_LENGTH = 255;
const MOST_PAGES = 10_000;
const MOST_ENVELOPES = 1_000;

const UID_RULE = `must be a product uid of the print service's catalog: letters, digits and - _ . ~ without spaces, ${UID_LENGTH} characters at most`;
const PAGES_RULE = `must be a whole number from 1 to ${MOST_PAGES}, all pages with the covers, inside and outside; leave it empty for a product without pages`;
/** What an address must be, in place of one that no file is fetched from. */
const URL_RULES: Readonly<Record<FileUrlFault, string>> = {
  file_address_unusable: 'must be the whole address of the print file, such as https://files.example/mug.pdf',
  file_not_https: 'must begin with https://, so that nobody can exchange the file on its way',
  file_has_password: 'must not have a user name or password in it',
  file_has_port: 'must not have a port in it, the number after the name of the server',
  file_host_not_public: 'must have the name of a server on the internet, not a number or localhost',
};

const blankToNull = (value: unknown): unknown => {
  if (value === undefined) return null;
  return typeof value === 'string' ? value.trim() || null : value;
};
const optional = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(blankToNull, schema.nullable());
/** A number, also where it stands in a cell of a table. */
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

const linkSchema = z.strictObject({
  variantId: optional(z.union([z.string(), z.number()]).transform(toVariantId)),
  sku: optional(
    z
      .string('must be text')
      .refine(isSku, `must be a SKU as it stands in the store: ${SKU_LENGTH} characters at most, in one line`),
  ),
  productUid: z.preprocess((value) => blankToNull(value) ?? undefined, uid),
  fileUrl: optional(
    z.string('must be text').superRefine((value, context) => {
      const fault = findUrlFault(value);
      if (fault !== null) context.addIssue(fault);
    }),
  ),
  pageCount: counted(MOST_PAGES, PAGES_RULE),
  envelopeProductUid: optional(uid),
  envelopesPerPiece: counted(MOST_ENVELOPES, `must be a whole number from 1 to ${MOST_ENVELOPES}`),
});

export type LinkField = keyof typeof linkSchema.shape;
export const linkFields = Object.keys(linkSchema.shape) as LinkField[];

/**
 * A print link as a person or a file gives it: the link, or everything that is wrong with it, each with its field and what it may be
 * (docs/rules/print-interface.md#create-item: `productUid`, `fileUrl`, `pageCount`). Whether product and file are there is not looked up.
 */
export function checkLink(input: Record<string, unknown>): LinkToSave | LinkIssue[] {
  const parsed = linkSchema.safeParse(input);
  const issues: LinkIssue[] = parsed.success ? [] : parsed.error.issues.map(toIssue);
  const isGiven = (field: LinkField): boolean => blankToNull(input[field]) !== null;
  if (!isGiven('variantId') && !isGiven('sku'))
    issues.push({ field: 'variantId', message: 'is missing: say which variant it is for, or give its SKU' });
  if (isGiven('envelopeProductUid') !== isGiven('envelopesPerPiece')) {
    const field = isGiven('envelopeProductUid') ? 'envelopesPerPiece' : 'envelopeProductUid';
    issues.push({ field, message: 'is missing: an envelope needs its product uid and how many go with each piece' });
  }
  if (!parsed.success || issues.length > 0) return issues;
  const { variantId, ...link } = parsed.data;
  return { shopifyVariantId: variantId, ...link };
}

/** The same of one link. Throws InvalidInputError with the first field that is wrong. */
export function parseLink(input: Record<string, unknown>): LinkToSave {
  const checked = checkLink(input);
  if (!Array.isArray(checked)) return checked;
  const [{ field, message } = { field: 'body', message: 'is no print link' }] = checked;
  throw new InvalidInputError(field, `${field}: ${message}.`);
}

/** What a link is for, and nothing else. Throws InvalidInputError. */
export function parseTarget({ variantId, sku }: { variantId?: unknown; sku?: unknown }): LinkTarget {
  const { shopifyVariantId, sku: ofSku } = parseLink({ variantId, sku, productUid: 'any' });
  return { shopifyVariantId, sku: ofSku };
}

/** How a person names what a link is for: `variant 42`, or `SKU MUG-11OZ`. */
export function describeTarget({ shopifyVariantId, sku }: LinkTarget): string {
  return shopifyVariantId === null ? `SKU ${sku}` : `variant ${shopifyVariantId.slice(VARIANT.length)}`;
}

function toIssue(issue: z.core.$ZodIssue): LinkIssue {
  if (issue.code !== 'unrecognized_keys') return { field: String(issue.path[0] ?? 'body'), message: issue.message };
  return { field: issue.keys[0] ?? 'body', message: `is not known; a print link has ${linkFields.join(', ')}` };
}

function toVariantId(value: string | number, context: z.RefinementCtx): string {
  const text = String(value).trim();
  const digits = text.startsWith(VARIANT) ? text.slice(VARIANT.length) : text;
  if (digits.length <= 20 && DIGITS.test(digits)) return VARIANT + digits;
  const isShortened = /^\d[.,]?\d{0,20}E\+?\d{1,2}$/i.test(text.slice(0, 40));
  const message = isShortened
    ? 'was shortened by a spreadsheet: format the column as text, and enter the id again'
    : `must be the id of a variant: the number at the end of its address in the store, or ${VARIANT} and that number`;
  context.addIssue(message);
  return z.NEVER;
}

function isSku(value: string): boolean {
  return value.length <= SKU_LENGTH && isOneLine(value);
}

function findUrlFault(value: string): string | null {
  if (value.length > LONGEST_FILE_URL) return `must be ${LONGEST_FILE_URL} characters at most`;
  if (!isOneLine(value) || /\s/.test(value)) return 'must not have spaces in it: write each as %20';
  const { problem } = readFileUrl(value);
  if (problem !== null) return URL_RULES[problem.code];
  // It goes on as it is written, and `https:files.example` and `https:\\files.example` are addresses to some readers and none to others.
  return /^https:\/\/[^/?#\\]+(?:[/?#][^\\]*)?$/i.test(value) ? null : URL_RULES.file_not_https;
}

/** Without the characters that end a line, control a terminal, or that the database does not keep. */
function isOneLine(value: string): boolean {
  return value.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(value);
}

function isWhole(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}
