import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchVariants, type Choice } from '../../../src/products/from-template/match-variants.ts';
import { normalizeOption } from '../../../src/products/from-template/normalize-option.ts';

const template = (id: string, options: Choice[], productUid: string | null = `uid-${id}`) => ({
  templateVariantId: id,
  productUid,
  options,
});
const variant = (variantId: string, options: Choice[]) => ({ variantId, options });
const size = (value: string) => ({ name: 'Size', value });
const color = (value: string) => ({ name: 'Color', value });

test.each([
  ['other options', [{ name: 'Größe', value: 'M' }], 'other_options'],
  ['fewer options', [size('M')], 'other_options'],
  ['more options', [size('M'), color('Red'), { name: 'Frame', value: 'None' }], 'other_options'],
  ['no options', [{ name: 'Title', value: 'Default Title' }], 'other_options'],
  ['an unknown value', [size('XS'), color('Red')], 'no_such_variant'],
  ['an unknown combination of values', [size('L'), color('Blue')], 'no_such_variant'],
  ['the options of two template variants', [size('S'), color('Red')], 'ambiguous'],
  ['the options of a template variant without a product', [size('L'), color('Red')], 'no_product'],
])('a variant with %s has no match, and the reason is returned', (_what, options, code) => {
  const variants = [
    template('m-red', [size('M'), color('Red')]),
    template('s-red', [size('S'), color('Red')]),
    template('s-red-again', [color('red'), size('s')]),
    template('m-blue', [size('M'), color('Blue')]),
    template('l-red', [size('L'), color('Red')], null),
  ];
  const [found] = matchVariants([variant('v', options)], variants);
  expect(found).toMatchObject({ variantId: 'v', code, message: expect.stringMatching(/\.$/) });
});

test('an option with another name in the store is matched if optionNames maps it', () => {
  const variants = [template('m', [size('M')])];
  const german = variant('v', [{ name: 'Größe', value: 'M' }]);
  expect(matchVariants([german], variants)).toMatchObject([{ code: 'other_options' }]);
  expect(matchVariants([german], variants, { GROSSE: 'size' })).toMatchObject([{ match: { templateVariantId: 'm' } }]);
});

test('a product without options matches a template variant without options', () => {
  const found = matchVariants([variant('v', [{ name: 'Title', value: 'Default Title' }])], [template('one', [])]);
  expect(found).toMatchObject([{ match: { templateVariantId: 'one' } }]);
});

test('two variants of a product with the same normalized options are both refused', () => {
  const found = matchVariants(
    [variant('a', [color('Red')]), variant('b', [color('RED')])],
    [template('r', [color('red')])],
  );
  expect(found).toMatchObject([{ code: 'same_options' }, { code: 'same_options' }]);
});

/** Option names and values that are all different, even after `normalizeOption`. */
const words = [
  'Size',
  'Color',
  'Material',
  'S',
  'M',
  'L',
  'Größe',
  '11 oz',
  '15 oz',
  '13 × 18 cm',
  'Light-Blue',
  'Café',
  'A+',
  'A-',
  '★',
  'が',
];
const word = fc.constantFrom(...words);

test('matched variants have exactly the same options, and a template variant matches at most one variant of a product', () => {
  const anything = fc.array(fc.record({ name: word, value: word }), { maxLength: 3 });
  const keyOf = (options: readonly Choice[]) =>
    options.map(({ name, value }) => `${normalizeOption(name)}=${normalizeOption(value)}`).toSorted();
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 8 }), fc.array(anything, { maxLength: 8 }), (ours, theirs) => {
      const variants = ours.map((options, index) => variant(String(index), options));
      const matches = matchVariants(
        variants,
        theirs.map((options, index) => template(String(index), options)),
      );
      expect(matches.map(({ variantId }) => variantId)).toEqual(variants.map(({ variantId }) => variantId));
      const taken = matches.flatMap((one) => ('match' in one ? [one.match.templateVariantId] : []));
      expect(new Set(taken).size).toBe(taken.length);
      for (const one of matches)
        if ('match' in one) expect(keyOf(one.match.options)).toEqual(keyOf(ours[Number(one.variantId)] ?? []));
    }),
  );
});
