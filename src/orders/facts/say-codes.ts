/** What a sentence shows of one code. */
const LONGEST_SHOWN = 100;
/** Controls, line separators and marks that turn or hide the text around them. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A tracking code as a sentence shows it: a carrier may use any character, and what cannot be seen is spelled out. */
export function sayCode(code: string): string {
  const characters = Array.from(code);
  const shown = characters.slice(0, LONGEST_SHOWN).join('').replace(UNSEEN, spell);
  return characters.length > LONGEST_SHOWN ? `${shown}…` : shown;
}

/** In place of the code of a parcel that is fulfilled without one. */
export const NO_CODE = '';

/** Tracking codes as a sentence names them: `the tracking codes A, B`. */
export function sayCodes(all: readonly string[]): string {
  const codes = all.filter((code) => code !== NO_CODE);
  if (codes.length === 0) return 'no tracking code';
  return `the tracking ${codes.length === 1 ? 'code' : 'codes'} ${codes.map(sayCode).join(', ')}`;
}

function spell(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
