import { type HoldResult, toHoldResult } from './address-hold.ts';
import { nameField } from './name-field.ts';

const MAX_LATIN_LETTERS_PER_LINE = 10;
const LATIN_LETTER = /(?=\p{L})\p{Script=Latin}/gu;

const LOCAL_SCRIPTS: Readonly<Record<string, RegExp>> = {
  CN: /\p{Script=Han}/u,
  JP: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  KR: /\p{Script=Hangul}/u,
  RU: /\p{Script=Cyrillic}/u,
};

/** The parts of an address that must be written in the local script. */
interface LocalParts {
  country: string;
  addressLine1: string;
  addressLine2?: string;
  city: string;
}

/**
 * Holds an order whose address in China, Japan, Korea or Russia is not in the local script (docs/rules/print-interface.md#local-script).
 * The city and the combined lines must each contain characters of the local script. A line may have at most 10 Latin letters, and the city
 * none. Names are exempt. Returns null if the address meets these rules.
 */
export function checkLocalScript({ country, addressLine1, addressLine2 = '', city }: LocalParts): HoldResult | null {
  const script = LOCAL_SCRIPTS[country];
  if (script === undefined) return null;
  for (const [field, text, limit] of [
    ['addressLine1', addressLine1, MAX_LATIN_LETTERS_PER_LINE],
    ['addressLine2', addressLine2, MAX_LATIN_LETTERS_PER_LINE],
    ['city', city, 0],
  ] as const) {
    const length = text.match(LATIN_LETTER)?.length ?? 0;
    if (length > limit) return holdTooManyLatinLetters(field, length, limit);
  }
  if (!script.test(addressLine1 + addressLine2)) return holdWrongScript('addressLine1');
  return script.test(city) ? null : holdWrongScript('city');
}

function holdTooManyLatinLetters(field: string, length: number, limit: number): HoldResult {
  const name = nameField(field);
  const message =
    limit === 0
      ? `In this country, the print service accepts no Latin letters in the field ${name}. The field has ${length}.`
      : `In this country, the print service accepts at most ${limit} Latin letters in the field ${name}. The field has ${length}.`;
  return { hold: { ...toHoldResult('local_script', field, message).hold, length, limit } };
}

function holdWrongScript(field: string): HoldResult {
  return toHoldResult(
    'local_script',
    field,
    `The print service requires the field ${nameField(field)} to be written in this country's script.`,
  );
}
