/**
 * The longest text that Platen processes, in UTF-16 code units. The limit bounds the processing time and is well above the store's own
 * limit of 255.
 */
export const MAX_TEXT_LENGTH = 1000;

// The store joins address parts with U+2060. U+2800 is a Braille cell without dots, so it looks like a space.
const SPACES = /[\p{Z}\p{Cc}\u2060\u2800]+/gu;
const INVISIBLE = /(?!\u2060)[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/**
 * Cleans a text for the print service: replaces each run of whitespace and control characters with one space, removes invisible characters,
 * trims the text and normalizes it to NFC. U+2060 counts as whitespace. Returns '' for a text over MAX_TEXT_LENGTH, so callers that must
 * not drop a long text check the length first.
 */
export function cleanText(text: string | null): string {
  if (text === null || text.length > MAX_TEXT_LENGTH) return '';
  return text.replace(INVISIBLE, '').replace(SPACES, ' ').trim().normalize('NFC');
}

/**
 * Returns the length in code points, as the print interface counts it (docs/rules/print-interface.md#recipient-address). A simple emoji
 * counts as one.
 */
export function textLength(text: string): number {
  return Array.from(text).length;
}

/** Converts a text to lowercase without accents, to compare names that people have typed: `Québec` equals `quebec`. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}
