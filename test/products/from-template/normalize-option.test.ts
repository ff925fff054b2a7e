import { expect, test } from 'vitest';
import { normalizeOption } from '../../../src/products/from-template/normalize-option.ts';

test.each([
  ['Größe', 'GROSSE', 'größe '],
  ['Café au lait', 'cafe  au LAIT', 'CAFÉ-AU-LAIT', 'Café_au_lait'],
  ['Light-Blue', 'light blue', ' Light – Blue '],
  ['11 oz', '11oz', '11 Ounces', '11 fl. oz', '11 FL OZ'],
  ['13 × 18 cm', '13x18cm', '13 X 18 Centimetres', '13 by 18 cm', '13 cm x 18 cm'],
  ['8″ x 10″', '8" x 10"', '8x10 inches', '8 in × 10 in', "8'' x 10''"],
  ['1,5 mm', '1.5mm', '1.5 millimeters'],
  ['Black / White', 'black/white', 'Black/ White'],
  ['iPhone 13 Pro', 'iphone13 pro', 'IPHONE-13-PRO'],
  ['2 XL', '2XL'],
  ['ﬁne', 'fine'],
])('%s has one form for all its spellings', (...ways) => {
  expect(new Set(ways.map(normalizeOption)).size).toBe(1);
});

test.each([
  ['S', 'Small'],
  ['A+', 'A-'],
  ['A', 'A+'],
  ['1-2', '12'],
  ['1.5', '15'],
  ['1,500', '1.5'],
  ['11 oz', '15 oz'],
  ['11 oz', '11 in'],
  ['13 x 18', '18 x 13'],
  ['Black', 'Black/White'],
  ['5', '-5'],
  ['が', 'か'],
  ['★', '☆'],
])('%s has a different form than %s', (one, other) => {
  expect(normalizeOption(one)).not.toBe(normalizeOption(other));
});
