/** More of a name or a value is not compared: the store takes 255 characters. */
const LONGEST = 500;

/** How a unit behind a number is written, and the one spelling that is compared. */
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
 * The name or the value of an option in the form in which two are compared (docs/merchants/print-links.md): without capitals and accents, spaces,
 * hyphens and underscores between words alike, `×` and `by` between numbers as `x`, a decimal comma as a point, one spelling for each unit
 * behind a number, and no space between a number and what it counts. Everything else stays, so that `A+` and `A-` are two values.
 */
export function normaliseOption(text: string): string {
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

/** `ß` becomes `ss` in capitals; marks of other scripts than Latin, Greek and Cyrillic tell words apart and stay. */
function withoutAccents(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFC');
}
