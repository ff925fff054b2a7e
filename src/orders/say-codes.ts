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

/** Tracking codes as a sentence names them: `the tracking codes A, B`. */
export function sayCodes(codes: readonly string[]): string {
  return `the tracking ${codes.length === 1 ? 'code' : 'codes'} ${codes.map(sayCode).join(', ')}`;
}

function spell(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
