import { z } from 'zod';
import type { TemplateVariant } from '../../database/entities/templates.ts';
import { InvalidInputError } from '../../errors.ts';
import type { CreateStoreProductRequest } from '../../print/current/store-products.ts';
import { PRINT_STORE_ID } from '../../shops/settings/product-settings.ts';
import { fileAddress } from '../links/file-address.ts';
import { longList, parseInput } from '../print-service/parse-input.ts';
import type { TemplateFacts } from '../templates/save-template.ts';

const TITLE_LENGTH = 255;
const DESCRIPTION_LENGTH = 65_000;
const TEXT_LENGTH = 1_000;
/** Limits of the print service's create request. */
const TAGS = 13;
const TAG_LENGTH = 255;

const lineSchema = (most: number, what: string) =>
  z.string(`must be ${what}`).trim().min(1, `must be ${what}`).max(most, `must have at most ${most} characters`);
const STORE_RULE = "must be the ID of your store in the print service's dashboard";
const NAME = 'the name of a placeholder of the template';
const placeholders = {
  imagePlaceholders: longList(
    z.strictObject({
      name: lineSchema(200, NAME),
      fileUrl: fileAddress,
      fitMethod: z.enum(['slice', 'meet']).optional(),
    }),
  ),
  textPlaceholders: longList(z.strictObject({ name: lineSchema(200, NAME), text: z.string().max(TEXT_LENGTH) })),
};

export const productRequestSchema = z.strictObject({
  templateId: lineSchema(200, 'the ID of a template'),
  storeId: z.string(STORE_RULE).trim().regex(PRINT_STORE_ID, STORE_RULE).optional(),
  title: lineSchema(TITLE_LENGTH, "the product's title"),
  description: z
    .string('must be text')
    .max(DESCRIPTION_LENGTH, `must have at most ${DESCRIPTION_LENGTH} characters`)
    .optional(),
  tags: z.array(lineSchema(TAG_LENGTH, 'a tag')).max(TAGS, `must have at most ${TAGS} tags`).optional(),
  isVisibleInTheOnlineStore: z.boolean('must be true or false').optional(),
  salesChannels: z
    .array(z.enum(['web', 'global'], 'must be web or global'))
    .max(2, 'must have at most 2 entries')
    .optional(),
  productType: lineSchema(TITLE_LENGTH, 'a product type').optional(),
  vendor: lineSchema(TITLE_LENGTH, 'a vendor').optional(),
  ...placeholders,
  variants: longList(
    z.strictObject({ templateVariantId: lineSchema(300, 'the ID of a template variant'), ...placeholders }),
  ),
});
export type ProductRequest = z.output<typeof productRequestSchema>;

type Filling = Pick<ProductRequest, 'imagePlaceholders' | 'textPlaceholders'>;

/** Parses a person's or program's request for a product. Throws an InvalidInputError that names the field and its rule. */
export function parseProductRequest(input: Record<string, unknown>): Promise<ProductRequest> {
  return parseInput(productRequestSchema, input);
}

/**
 * Builds the request that creates a product from a template. Each variant's image placeholders get the variant's own value, or otherwise
 * the value for all variants. Text placeholders without a given value keep the template's text. Throws InvalidInputError for a variant or
 * placeholder that the template does not have or that is named twice, and for an image placeholder that is not filled.
 */
export function fillTemplate(template: TemplateFacts, asked: ProductRequest): CreateStoreProductRequest {
  const { storeId: _storeId, variants, imagePlaceholders, textPlaceholders, ...fields } = asked;
  if (template.variants.length === 0)
    throw new InvalidInputError(
      'templateId',
      'templateId: the template has no variants. Add a variant at the print service.',
    );
  const own = new Map<string, Filling>();
  const byId = new Map(template.variants.map((variant) => [variant.templateVariantId, variant]));
  for (const [index, variant] of variants.entries()) {
    const path = `variants[${index}]`;
    const known = byId.get(variant.templateVariantId);
    if (!known)
      throw unknownName(
        `${path}.templateVariantId`,
        'variant',
        template.variants.map((one) => one.templateVariantId),
      );
    if (own.has(variant.templateVariantId)) throw duplicateError(`${path}.templateVariantId`);
    refuseUnknown(variant, [known], `${path}.`);
    own.set(variant.templateVariantId, variant);
  }
  refuseUnknown({ imagePlaceholders, textPlaceholders }, template.variants, '');
  const all = toFilled({ imagePlaceholders, textPlaceholders });
  return {
    ...fields,
    variants: template.variants.map((variant) => fillVariant(variant, own.get(variant.templateVariantId), all)),
  };
}

interface Filled {
  images: Map<string, Filling['imagePlaceholders'][number]>;
  texts: Map<string, Filling['textPlaceholders'][number]>;
}

function toFilled({ imagePlaceholders, textPlaceholders }: Filling): Filled {
  return {
    images: new Map(imagePlaceholders.map((one) => [one.name, one])),
    texts: new Map(textPlaceholders.map((one) => [one.name, one])),
  };
}

function fillVariant(variant: TemplateVariant, filling: Filling | undefined, all: Filled) {
  const { templateVariantId, title } = variant;
  const own = filling && toFilled(filling);
  const images = variant.imagePlaceholders.map(({ name }) => {
    const image = own?.images.get(name) ?? all.images.get(name);
    if (image) return image;
    const message = `imagePlaceholders: ${name} of the variant ${title ?? templateVariantId} has no file. Add a file for all variants to "imagePlaceholders", or for this variant to its entry in "variants".`;
    throw new InvalidInputError('imagePlaceholders', message);
  });
  const texts = variant.textPlaceholders.flatMap(({ name }) => own?.texts.get(name) ?? all.texts.get(name) ?? []);
  return {
    templateVariantId,
    ...(images.length === 0 ? {} : { imagePlaceholders: images }),
    ...(texts.length === 0 ? {} : { textPlaceholders: texts }),
  };
}

function refuseUnknown(filling: Filling, variants: readonly TemplateVariant[], path: string): void {
  for (const list of ['imagePlaceholders', 'textPlaceholders'] as const) {
    const known = new Set(variants.flatMap((variant) => variant[list].map(({ name }) => name)));
    const names = new Set<string>();
    for (const [index, { name }] of filling[list].entries()) {
      const field = `${path}${list}[${index}].name`;
      if (!known.has(name)) throw unknownName(field, 'placeholder', [...known]);
      if (names.has(name)) throw duplicateError(field);
      names.add(name);
    }
  }
}

function unknownName(field: string, what: string, known: readonly string[]): InvalidInputError {
  const list = known.length === 0 ? 'It has none' : `It has ${known.slice(0, 20).join(', ')}`;
  return new InvalidInputError(field, `${field}: the template has no such ${what}. ${list}.`);
}

function duplicateError(field: string): InvalidInputError {
  return new InvalidInputError(field, `${field}: appears twice. Use it only once.`);
}
