/** Maximum number of characters of a tracking code in a sentence. */
const MAX_SHOWN_LENGTH = 100;
/** Control characters, line separators and marks that reverse or hide the text around them. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Formats a tracking code for a sentence. A carrier may use any character, so invisible characters are escaped. */
export function formatTrackingCode(code: string): string {
  const characters = Array.from(code);
  const shown = characters.slice(0, MAX_SHOWN_LENGTH).join('').replace(UNSEEN, escapeCharacter);
  return characters.length > MAX_SHOWN_LENGTH ? `${shown}…` : shown;
}

/** The code that is stored for a parcel that is fulfilled without a tracking code. */
export const NO_TRACKING_CODE = '';

/** Formats tracking codes for a sentence: `the tracking codes A, B`. */
export function describeTrackingCodes(all: readonly string[]): string {
  const codes = all.filter((code) => code !== NO_TRACKING_CODE);
  if (codes.length === 0) return 'no tracking code';
  return `the tracking ${codes.length === 1 ? 'code' : 'codes'} ${codes.map(formatTrackingCode).join(', ')}`;
}

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
