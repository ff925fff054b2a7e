/** Longest text that is looked at, in UTF-16 units: well over the store's own limit of 255, and it bounds the work. */
export const LONGEST_TEXT = 1000;

// U+2060 stands between the parts of an address that the store joined, and U+2800 is a Braille cell without dots.
const SPACES = /[\p{Z}\p{Cc}\u2060\u2800]+/gu;
const INVISIBLE = /(?!\u2060)[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/**
 * The text as the print service may have it: trimmed, single spaces, NFC, no control or invisible character; U+2060
 * becomes a space. A text over LONGEST_TEXT is worth nothing here and comes back empty: callers that may not drop it
 * look at its length first.
 */
export function cleanText(text: string | null): string {
  if (text === null || text.length > LONGEST_TEXT) return '';
  return text.replace(INVISIBLE, '').replace(SPACES, ' ').trim().normalize('NFC');
}

/** Length as the interface page counts it: code points, so that an emoji or a rare ideograph is one. */
export function textLength(text: string): number {
  return Array.from(text).length;
}

/** The text in lower case without accents, to compare names that people type: `Québec` and `quebec` are one. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}
