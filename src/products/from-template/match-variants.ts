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
/** Maximum number of template variants or option names in one message. */
const MAX_LISTED = 20;

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
  const normalize = normalizeOnce();
  const byOptions = Map.groupBy(templateVariants, ({ options }) => toKey(options, new Map(), normalize));
  const keys = storeVariants.map(({ options }) => toKey(options, renamed, normalize));
  const alike = Map.groupBy(keys, (key) => key);
  const explain = explainMismatches(templateVariants, renamed, normalize);
  return storeVariants.map(({ variantId, options }, index) => {
    const key = keys[index] ?? '';
    const fitting = byOptions.get(key) ?? [];
    const [match] = fitting;
    const refuse = (code: MismatchCode, message: string) => ({ variantId, code, message });
    if (match === undefined) return refuse(...explain(options));
    if (fitting.length > 1) {
      const ids = listFirst(fitting.map(({ templateVariantId }) => templateVariantId));
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

type Normalize = (text: string) => string;

/** The variants of a product repeat the same few names and values. */
function normalizeOnce(): Normalize {
  const known = new Map<string, string>();
  return (text) => {
    const normal = known.get(text) ?? normalizeOption(text);
    known.set(text, normal);
    return normal;
  };
}

/** Sorts the options, so that equal options have the same key. */
function toKey(options: readonly Choice[], renamed: ReadonlyMap<string, string>, normalize: Normalize): string {
  const pairs = options.map(({ name, value }) => [toName(name, renamed, normalize), normalize(value)]);
  const compared = pairs.filter(([name, value]) => pairs.length > 1 || name !== NO_OPTION || value !== NO_CHOICE);
  return JSON.stringify(compared.map((pair) => JSON.stringify(pair)).toSorted());
}

function toName(name: string, renamed: ReadonlyMap<string, string>, normalize: Normalize): string {
  const normal = normalize(name);
  return renamed.get(normal) ?? normal;
}

/**
 * Returns a function that explains whether the template has other options, or the same options without this combination of values. The
 * template is read once for all variants.
 */
function explainMismatches(
  templateVariants: readonly Printable[],
  renamed: ReadonlyMap<string, string>,
  normalize: Normalize,
): (options: readonly Choice[]) => [MismatchCode, string] {
  const toNames = (names: string[]): string => JSON.stringify(names.toSorted());
  const theirs = new Set(templateVariants.map(({ options }) => toNames(options.map(({ name }) => normalize(name)))));
  const all = [...new Set(templateVariants.flatMap(({ options }) => options.map(({ name }) => name)))];
  const list = all.length === 0 ? 'none' : listFirst(all);
  return (options) => {
    const names = options
      .filter(({ name, value }) => normalize(name) !== NO_OPTION || normalize(value) !== NO_CHOICE)
      .map(({ name }) => toName(name, renamed, normalize));
    if (theirs.has(toNames(names)))
      return ['no_such_variant', `The template has no variant with ${describeOptions(options)}.`];
    const message = `The variant's options (${describeOptions(options)}) differ from the template's options (${list}). If only an option's name differs, assign it to the template's name.`;
    return ['other_options', message];
  };
}

function listFirst(names: readonly string[]): string {
  return names.slice(0, MAX_LISTED).join(', ');
}

function describeOptions(options: readonly Choice[]): string {
  return options.length === 0 ? 'no options' : options.map(({ name, value }) => `${name} = ${value}`).join(', ');
}
