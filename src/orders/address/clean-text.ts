/** Longest text that is processed, in UTF-16 units: well over the store's own limit of 255, and it bounds the work. */
export const LONGEST_TEXT = 1000;

// The store joins the parts of an address with U+2060, and U+2800 is a Braille cell without dots.
const SPACES = /[\p{Z}\p{Cc}\u2060\u2800]+/gu;
const INVISIBLE = /(?!\u2060)[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/**
 * Cleans a text for the print service: trimmed, single spaces, NFC, no control or invisible characters; U+2060 becomes a space. A text over
 * LONGEST_TEXT comes back empty, so callers that must not drop it check its length first.
 */
export function cleanText(text: string | null): string {
  if (text === null || text.length > LONGEST_TEXT) return '';
  return text.replace(INVISIBLE, '').replace(SPACES, ' ').trim().normalize('NFC');
}

/** Length in code points, as the interface counts it (docs/rules/print-interface.md#recipient-address): an emoji counts as one. */
export function textLength(text: string): number {
  return Array.from(text).length;
}

/** The text in lower case without accents, to compare names that people type: `Québec` equals `quebec`. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}
