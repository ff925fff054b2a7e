import { InvalidInputError } from '../errors.ts';
import { toStorableJsonText } from '../storable-json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
/** What a byte means outside of a text. */
const [OTHER, DIGIT, TEXT, NEXT, OPEN, CLOSE] = [0, 1, 2, 3, 4, 5] as const;
const KINDS = toKinds({ [DIGIT]: '0123456789', [TEXT]: '"', [NEXT]: ',', [OPEN]: '{[', [CLOSE]: '}]' });
const MAX_DEPTH = 64;
/** The largest body that a door takes, 2 MiB of a real order, has fewer than half as many. */
const MOST_VALUES = 200_000;
/** A whole number of fewer digits is exact. */
const LARGE_DIGITS = 16;
const decoder = new TextDecoder();

/**
 * The JSON object that a door received, from its raw bytes. A whole number above 2^53 becomes a string of its exact digits: as a number
 * it would be another id. Strings and keys are as the database can keep them. Throws InvalidInputError when the bytes are no JSON object, are nested deeper than 64, or hold more than
 * `mostValues` values.
 */
export function parseJsonObject(raw: Buffer, mostValues: number = MOST_VALUES): Record<string, unknown> {
  // Checked before the parser runs: later code walks what it parses by recursion, and each value takes time.
  const { depth, values, hasLargeNumber } = scan(raw);
  if (depth > MAX_DEPTH) throw new InvalidInputError('body', `The body is nested deeper than ${MAX_DEPTH}.`);
  if (values > mostValues) throw new InvalidInputError('body', `The body has more than ${mostValues} values.`);
  const parsed = parse(toStorableJsonText(decoder.decode(raw)), hasLargeNumber);
  if (!isJsonObject(parsed)) throw new InvalidInputError('body', 'The body must be a JSON object.');
  return parsed;
}

/** True of a JSON object, and not of a list or null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toKinds(characters: Record<number, string>): Uint8Array {
  const kinds = new Uint8Array(256);
  for (const [kind, all] of Object.entries(characters)) for (const one of all) kinds[one.charCodeAt(0)] = Number(kind);
  return kinds;
}

/** A reviver takes far longer than the parser: it runs only where a number needs it. */
function parse(text: string, hasLargeNumber: boolean): unknown {
  try {
    return hasLargeNumber ? JSON.parse(text, keepLargeIds) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keepLargeIds(_key: string, value: unknown, context?: { source?: string }): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source : value;
}

/**
 * How deep a body is nested, how many values it has at most, and whether a number of it may be too large to be exact. Reads bytes, not
 * characters: no byte of a longer UTF-8 character is a bracket, a quote or a digit. Stops once it is too deep. Every webhook passes here,
 * so the common bytes cost one lookup.
 */
function scan(raw: Buffer): { depth: number; values: number; hasLargeNumber: boolean } {
  const { length } = raw;
  let [open, depth, values, digits] = [0, 0, 1, 0];
  let hasLargeNumber = false;
  for (let at = 0; at < length && depth <= MAX_DEPTH; at += 1) {
    const byte = raw[at] as number;
    const kind = KINDS[byte] as number;
    if (kind === DIGIT) {
      digits += 1;
      if (digits >= LARGE_DIGITS) hasLargeNumber = true;
      continue;
    }
    if (digits > 0) {
      if (byte === LOWER_E || byte === UPPER_E) hasLargeNumber = true;
      digits = 0;
    }
    if (kind === OTHER) continue;
    if (kind === TEXT) at = endOfText(raw, at + 1, length);
    else if (kind === NEXT) values += 1;
    else if (kind === OPEN) {
      values += 1;
      open += 1;
      if (open > depth) depth = open;
    } else open -= 1;
  }
  return { depth, values, hasLargeNumber };
}

/** The place of the quote that ends a text, or the length of a body without one. */
function endOfText(raw: Buffer, start: number, length: number): number {
  let at = start;
  while (at < length) {
    const byte = raw[at] as number;
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return length;
}
