/** Only this many characters of a name or value are compared. The store allows 255. */
const LONGEST = 500;

/** Spellings of units after a number, and the spelling used for comparison. */
const UNITS = new Map([
  ['floz', 'oz'],
  ['ounce', 'oz'],
  ['ounces', 'oz'],
  ['inch', 'in'],
  ['inches', 'in'],
  ['"', 'in'],
  ['”', 'in'],
  ["''", 'in'],
  ['′′', 'in'],
  ['centimeter', 'cm'],
  ['centimeters', 'cm'],
  ['centimetre', 'cm'],
  ['centimetres', 'cm'],
  ['millimeter', 'mm'],
  ['millimeters', 'mm'],
  ['millimetre', 'mm'],
  ['millimetres', 'mm'],
  ['milliliter', 'ml'],
  ['milliliters', 'ml'],
  ['millilitre', 'ml'],
  ['millilitres', 'ml'],
]);

/**
 * Converts an option's name or value to the form for comparison (docs/merchants/print-links.md). The form is in lowercase, without accents.
 * Hyphens and underscores between words become spaces, `×` and `by` between numbers become `x`, and decimal commas become points. A unit
 * after a number gets a standard spelling, without a space before it. Everything else is preserved, so `A+` and `A-` are different values.
 */
export function normalizeOption(text: string): string {
  const folded = withoutAccents(text.slice(0, LONGEST).trim())
    .replaceAll(/[×✕✖]/g, 'x')
    .replaceAll(/(?<=[\p{L}\p{N}])[-‐‑–—_](?=[\p{L}\p{N}])/gu, ' ')
    .replaceAll(/\s[-‐‑–—]\s/g, ' ')
    .replaceAll(/\s+/g, ' ');
  const numbers = folded.replaceAll(/(\d),(\d{1,2})(?!\d)/g, '$1.$2').replaceAll(/(\d) ?(?:x|by) ?(?=\d)/g, '$1x');
  return numbers
    .replaceAll(/(\d) ?(fl\.? ?oz|\p{L}+|"|”|''|′′)/gu, (_all, digit: string, unit: string) => digit + toUnit(unit))
    .replaceAll(/(in|cm|mm) ?x ?(?=\d)/g, '$1x')
    .replaceAll(/(\d)(in|cm|mm)x(?=[\d.]+\2)/g, '$1x')
    .replaceAll(/(\p{L}) (?=\p{N})/gu, '$1')
    .replaceAll(/ ([/,&+|])/g, '$1')
    .replaceAll(/([/,&+|]) /g, '$1');
}

function toUnit(written: string): string {
  return UNITS.get(written.replaceAll(/[. ]/g, '')) ?? written;
}

/**
 * The conversion to uppercase first turns `ß` into `SS`. Marks outside Latin, Greek and Cyrillic distinguish words, so they are preserved.
 */
function withoutAccents(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFC');
}
