import { normalizeOption } from './normalize-option.ts';

/** An option with its value, such as `Size`: `11 oz`. */
export interface Choice {
  name: string;
  value: string;
}

/** A variant of a product in the store. */
interface StoreVariant {
  variantId: string;
  options: readonly Choice[];
}

/** A template variant. Without a product UID, it cannot be printed. */
interface Printable {
  templateVariantId: string;
  productUid: string | null;
  options: readonly Choice[];
}

/** Why a variant has no match. */
export type MismatchCode = 'other_options' | 'no_such_variant' | 'ambiguous' | 'same_options' | 'no_product';

type Match<Variant> =
  | { variantId: string; match: Variant }
  | { variantId: string; code: MismatchCode; message: string };

/** In the store, a product without options has one option with this name and this value, which is ignored. */
const NO_OPTION = normalizeOption('Title');
const NO_CHOICE = normalizeOption('Default Title');

/**
 * For each variant of a product in the store, finds the one template variant with the same options and values, in any order. Names and
 * values are normalized with `normalizeOption` before the comparison. The function never guesses: a variant with no match, with several
 * matches or with the same options as another variant of the product is returned with the reason. `optionNames` maps the store's option
 * names to those in the template. Variants with other options, in the product or the template, do not affect a match. The result is in the
 * order of the store's variants.
 */
export function matchVariants<Variant extends Printable>(
  storeVariants: readonly StoreVariant[],
  templateVariants: readonly Variant[],
  optionNames: Readonly<Record<string, string>> = {},
): Match<Variant>[] {
  const renamed = new Map(
    Object.entries(optionNames).map(([from, to]) => [normalizeOption(from), normalizeOption(to)]),
  );
  const byOptions = Map.groupBy(templateVariants, ({ options }) => toKey(options, new Map()));
  const alike = Map.groupBy(storeVariants, ({ options }) => toKey(options, renamed));
  return storeVariants.map(({ variantId, options }) => {
    const key = toKey(options, renamed);
    const fitting = byOptions.get(key) ?? [];
    const [match] = fitting;
    const refuse = (code: MismatchCode, message: string) => ({ variantId, code, message });
    if (match === undefined) return refuse(...explainMismatch(options, templateVariants, renamed));
    if (fitting.length > 1) {
      const ids = fitting.map(({ templateVariantId }) => templateVariantId).join(', ');
      return refuse('ambiguous', `Several template variants have these options: ${ids}. Link the variant by hand.`);
    }
    if ((alike.get(key)?.length ?? 0) > 1)
      return refuse(
        'same_options',
        `Another variant of the product has the same options (${describeOptions(options)}). Link both by hand.`,
      );
    if (match.productUid === null || match.productUid === '')
      return refuse('no_product', 'The template variant has no product UID. Check the template at the print service.');
    return { variantId, match };
  });
}

/** Sorts the options, so that equal options have the same key. */
function toKey(options: readonly Choice[], renamed: ReadonlyMap<string, string>): string {
  const pairs = options.map(({ name, value }) => [toName(name, renamed), normalizeOption(value)]);
  const compared = pairs.filter(([name, value]) => pairs.length > 1 || name !== NO_OPTION || value !== NO_CHOICE);
  return JSON.stringify(compared.map((pair) => JSON.stringify(pair)).toSorted());
}

function toName(name: string, renamed: ReadonlyMap<string, string>): string {
  const normal = normalizeOption(name);
  return renamed.get(normal) ?? normal;
}

/** Explains whether the template has other options, or the same options without this combination of values. */
function explainMismatch(
  options: readonly Choice[],
  templateVariants: readonly Printable[],
  renamed: ReadonlyMap<string, string>,
): [MismatchCode, string] {
  const names = options
    .filter(({ name, value }) => normalizeOption(name) !== NO_OPTION || normalizeOption(value) !== NO_CHOICE)
    .map(({ name }) => toName(name, renamed))
    .toSorted();
  const hasThese = templateVariants.some(
    ({ options: theirs }) =>
      JSON.stringify(theirs.map(({ name }) => normalizeOption(name)).toSorted()) === JSON.stringify(names),
  );
  if (hasThese) return ['no_such_variant', `The template has no variant with ${describeOptions(options)}.`];
  const theirs = new Set(templateVariants.flatMap((variant) => variant.options.map(({ name }) => name)));
  const list = theirs.size === 0 ? 'none' : [...theirs].join(', ');
  const message = `The variant's options (${describeOptions(options)}) differ from the template's options (${list}). If only an option's name differs, assign it to the template's name.`;
  return ['other_options', message];
}

function describeOptions(options: readonly Choice[]): string {
  return options.length === 0 ? 'no options' : options.map(({ name, value }) => `${name} = ${value}`).join(', ');
}
