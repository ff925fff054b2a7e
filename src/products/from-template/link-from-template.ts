import { z } from 'zod';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { TemplateVariant } from '../../database/entities/templates.ts';
import { InvalidInputError } from '../../errors.ts';
import { readVariantOptions, type ProductWithOptions } from '../../shopify/calls/variant-options.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { fileAddress } from '../links/file-address.ts';
import { checkLink, type LinkToSave } from '../links/parse-link.ts';
import { countChanges, saveLinks, type SavedCount } from '../links/save-links.ts';
import { longRecord, parseInput } from '../print-service/parse-input.ts';
import { readTemplate } from '../templates/read-template.ts';
import { matchVariants, type MismatchCode } from './match-variants.ts';

/** Maximum number of products in one request. Each product is read from the store with a separate call. */
const MAX_PRODUCTS = 20;
const PRODUCT = 'gid://shopify/Product/';
const VARIANT = 'gid://shopify/ProductVariant/';

const digits = (gid: string) =>
  z
    .union([z.string(), z.int()], 'must be an ID in the store')
    .transform((value) => String(value).trim())
    .transform((value) => (value.startsWith(gid) ? value.slice(gid.length) : value))
    .refine(
      (value) => /^[1-9]\d{0,19}$/.test(value),
      `must be the number at the end of the object's address in the store, or ${gid} and that number`,
    );
const name = z.string().trim().min(1).max(255);

export const linksFromTemplateSchema = z.strictObject({
  templateId: z.string('must be the ID of a template').min(1).max(200),
  products: z
    .array(digits(PRODUCT), 'must be a list of product IDs in the store')
    .min(1, 'must have at least one product')
    .max(MAX_PRODUCTS, `must have at most ${MAX_PRODUCTS} products`)
    .transform((ids) => [...new Set(ids)]),
  fileUrl: fileAddress.nullable().default(null),
  fileUrls: longRecord(digits(VARIANT), fileAddress),
  pageCount: z.int('must be a whole number').min(1).max(10_000).nullable().default(null),
  optionNames: longRecord(name, name),
  dryRun: z.boolean('must be true or false').default(false),
});
type LinksFromTemplateRequest = z.output<typeof linksFromTemplateSchema>;

/** A linked variant or, in a dry run, a variant that would be linked. */
interface LinkedVariant {
  productId: string;
  variantId: string;
  title: string;
  templateVariantId: string;
  productUid: string;
  fileUrl: string;
}

/** A variant that is not linked, or a product that is not in the store, with the reason. */
interface UnlinkedVariant {
  productId: string;
  /** Null if the reason concerns a whole product. */
  variantId: string | null;
  title: string | null;
  code: MismatchCode | 'no_such_product' | 'no_file';
  message: string;
}

/** The result of linking variants from a template, or of a dry run. */
export interface LinkedFromTemplate extends SavedCount {
  dryRun: boolean;
  templateId: string;
  linked: LinkedVariant[];
  notLinked: UnlinkedVariant[];
}

/** Parses a request to create links from a template. Throws InvalidInputError with the field and its rule. */
export function parseLinksFromTemplate(input: Record<string, unknown>): Promise<LinksFromTemplateRequest> {
  return parseInput(linksFromTemplateSchema, input);
}

/**
 * Links each variant of the given store products to the print product of the template variant with the same options. The link's file is the
 * merchant's file for that variant, or otherwise the file for all variants. Variants without exactly one match stay unchanged and are
 * returned with the reason. A dry run returns the same result and writes nothing. All matches are saved in one transaction (see `saveLinks`
 * for the effects). Throws InvalidInputError if a file is given for a variant that is in none of the products, ShopifyError, and the errors
 * of `readTemplate` and `openAdmin`.
 */
export async function linkFromTemplate(
  app: App,
  shop: Shop,
  asked: LinksFromTemplateRequest,
): Promise<LinkedFromTemplate> {
  const { templateId, dryRun } = asked;
  const template = await readTemplate(app, shop, templateId);
  const admin = await openAdmin(app, shop);
  const links: LinkToSave[] = [];
  const linked: LinkedVariant[] = [];
  const notLinked: UnlinkedVariant[] = [];
  for (const productId of asked.products) {
    const product = await readVariantOptions(admin, PRODUCT + productId);
    const matched = product ? matchProduct(product, template.variants, asked) : [{ productId, ...NO_PRODUCT }];
    for (const one of matched) {
      if ('code' in one) notLinked.push(one);
      else {
        links.push(one.link);
        linked.push(one.shown);
      }
    }
  }
  if (notLinked.every(({ code }) => code !== 'no_such_product'))
    refuseUnknownVariants(asked, [...linked, ...notLinked]);
  const count = dryRun
    ? await countChanges(app.db.manager, shop, links)
    : await app.db.transaction((manager) => saveLinks(app, manager, shop, links));
  return { dryRun, templateId, linked, notLinked, ...count };
}

/** Rejects a file for an unknown variant. Otherwise, the intended variant would get the file for all variants. */
function refuseUnknownVariants(
  { fileUrls }: LinksFromTemplateRequest,
  variants: readonly { variantId: string | null }[],
): void {
  const known = new Set(variants.map(({ variantId }) => variantId));
  const strange = Object.keys(fileUrls).find((variantId) => !known.has(variantId));
  if (strange === undefined) return;
  const field = `fileUrls.${strange}`;
  throw new InvalidInputError(
    field,
    `${field}: none of the products has this variant. Enter a variant of one of the products.`,
  );
}

const NO_PRODUCT = {
  variantId: null,
  title: null,
  code: 'no_such_product',
  message: 'This product is not in your store.',
} as const;
const NO_FILE = {
  code: 'no_file',
  message: 'The variant has no print file. Enter a file for all variants or for this variant.',
} as const;

type MatchedVariants = UnlinkedVariant | { link: LinkToSave; shown: LinkedVariant };

function matchProduct(
  product: ProductWithOptions,
  templateVariants: readonly TemplateVariant[],
  { fileUrl, fileUrls, pageCount, optionNames }: LinksFromTemplateRequest,
): MatchedVariants[] {
  const variants = product.variants.map(({ id, selectedOptions }) => ({ variantId: id, options: selectedOptions }));
  const titles = new Map(product.variants.map(({ id, title }) => [id, `${product.title}, ${title}`]));
  return matchVariants(variants, templateVariants, optionNames).map((found): MatchedVariants => {
    const variantId = found.variantId.slice(VARIANT.length);
    const productId = product.id.slice(PRODUCT.length);
    const of = { productId, variantId, title: titles.get(found.variantId) ?? product.title };
    if ('code' in found) return { ...of, code: found.code, message: found.message };
    const url = fileUrls[variantId] ?? fileUrl;
    if (url === null) return { ...of, ...NO_FILE };
    const { templateVariantId, productUid } = found.match;
    const link = checkLink({ variantId, productUid, fileUrl: url, pageCount });
    if (Array.isArray(link)) {
      const [issue] = link;
      return {
        ...of,
        code: 'no_product',
        message: `The template has no valid product for this variant: ${issue?.field} ${issue?.message}.`,
      };
    }
    return { link, shown: { ...of, templateVariantId, productUid: link.productUid, fileUrl: url } };
  });
}
