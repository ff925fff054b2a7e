import { normaliseOption } from './normalise-option.ts';

/** An option with what is chosen of it, such as `Size`: `11 oz`. */
export interface Choice {
  name: string;
  value: string;
}

/** A variant of a product of the store. */
interface StoreVariant {
  variantId: string;
  options: readonly Choice[];
}

/** A variant of a template; without a product uid nothing can be printed of it. */
interface Printable {
  templateVariantId: string;
  productUid: string | null;
  options: readonly Choice[];
}

/** Why a variant is matched with nothing. */
export type MismatchCode = 'other_options' | 'no_such_variant' | 'ambiguous' | 'same_options' | 'no_product';

type Match<Variant> =
  | { variantId: string; match: Variant }
  | { variantId: string; code: MismatchCode; message: string };

/** A product of the store without options has this one, with this value: it says nothing. */
const NO_OPTION = normaliseOption('Title');
const NO_CHOICE = normaliseOption('Default Title');

/**
 * Finds for each variant of one product of the store the one variant of a template that has the same options with the same values, in
 * whatever order, compared as `normaliseOption` writes them. Nothing is guessed: what fits none, several, or is like another variant of
 * the product is told with why. `optionNames` says what the template calls an option that the store calls otherwise. Each variant
 * is decided by itself: what else the product or the template has changes nothing of a match. The result is in the order of the
 * store's variants.
 */
export function matchVariants<Variant extends Printable>(
  storeVariants: readonly StoreVariant[],
  templateVariants: readonly Variant[],
  optionNames: Readonly<Record<string, string>> = {},
): Match<Variant>[] {
  const renamed = new Map(
    Object.entries(optionNames).map(([from, to]) => [normaliseOption(from), normaliseOption(to)]),
  );
  const byOptions = Map.groupBy(templateVariants, ({ options }) => toKey(options, new Map()));
  const alike = Map.groupBy(storeVariants, ({ options }) => toKey(options, renamed));
  return storeVariants.map(({ variantId, options }) => {
    const key = toKey(options, renamed);
    const fitting = byOptions.get(key) ?? [];
    const [match] = fitting;
    const tell = (code: MismatchCode, message: string) => ({ variantId, code, message });
    if (match === undefined) return tell(...explain(options, templateVariants, renamed));
    if (fitting.length > 1) {
      const ids = fitting.map(({ templateVariantId }) => templateVariantId).join(', ');
      return tell('ambiguous', `Several variants of the template have these options: ${ids}. Link it by hand.`);
    }
    if ((alike.get(key)?.length ?? 0) > 1)
      return tell(
        'same_options',
        `Another variant of the product reads the same (${describe(options)}). Link both by hand.`,
      );
    if (match.productUid === null || match.productUid === '')
      return tell('no_product', 'The variant of the template has no product uid. Look at it at the print service.');
    return { variantId, match };
  });
}

/** Options in an order of their own, so that equal ones are one text. */
function toKey(options: readonly Choice[], renamed: ReadonlyMap<string, string>): string {
  const pairs = options.map(({ name, value }) => [toName(name, renamed), normaliseOption(value)]);
  const said = pairs.filter(([name, value]) => pairs.length > 1 || name !== NO_OPTION || value !== NO_CHOICE);
  return JSON.stringify(said.map((pair) => JSON.stringify(pair)).toSorted());
}

function toName(name: string, renamed: ReadonlyMap<string, string>): string {
  const normal = normaliseOption(name);
  return renamed.get(normal) ?? normal;
}

/** Whether the options are other ones, or the same with values that no variant of the template has together. */
function explain(
  options: readonly Choice[],
  templateVariants: readonly Printable[],
  renamed: ReadonlyMap<string, string>,
): [MismatchCode, string] {
  const names = options
    .filter(({ name, value }) => normaliseOption(name) !== NO_OPTION || normaliseOption(value) !== NO_CHOICE)
    .map(({ name }) => toName(name, renamed))
    .toSorted();
  const hasThese = templateVariants.some(
    ({ options: theirs }) =>
      JSON.stringify(theirs.map(({ name }) => normaliseOption(name)).toSorted()) === JSON.stringify(names),
  );
  if (hasThese) return ['no_such_variant', `The template has no variant with ${describe(options)}.`];
  const theirs = new Set(templateVariants.flatMap((variant) => variant.options.map(({ name }) => name)));
  const list = theirs.size === 0 ? 'none' : [...theirs].join(', ');
  const message = `Its options are not those of the template: ${describe(options)}; those of the template are: ${list}. If only a name differs, say which is which (optionNames).`;
  return ['other_options', message];
}

function describe(options: readonly Choice[]): string {
  return options.length === 0 ? 'no options' : options.map(({ name, value }) => `${name} = ${value}`).join(', ');
}
