import { InvalidInputError } from '../errors.ts';
import { toStorableJsonText } from '../storable-json.ts';

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACE, END_BRACE, BRACKET, END_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [ZERO, NINE, UPPER_E, LOWER_E] = [0x30, 0x39, 0x45, 0x65];
const MAX_DEPTH = 64;
/** The largest body that a door takes, 2 MiB of a real order, has fewer than half as many. */
const MOST_VALUES = 200_000;
/** A whole number of fewer digits is exact. */
const LARGE_DIGITS = 16;

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
  const parsed = parse(toStorableJsonText(new TextDecoder().decode(raw)), hasLargeNumber);
  if (!isJsonObject(parsed)) throw new InvalidInputError('body', 'The body must be a JSON object.');
  return parsed;
}

/** True of a JSON object, and not of a list or null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
 * characters: no byte of a longer UTF-8 character is a bracket, a quote or a digit. Stops once it is too deep.
 */
function scan(raw: Buffer): { depth: number; values: number; hasLargeNumber: boolean } {
  let [open, depth, values, digits] = [0, 0, 1, 0];
  let [inText, hasLargeNumber] = [false, false];
  for (let at = 0; at < raw.length && depth <= MAX_DEPTH; at += 1) {
    const byte = raw[at] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
      continue;
    }
    if (byte >= ZERO && byte <= NINE) {
      digits += 1;
      if (digits >= LARGE_DIGITS) hasLargeNumber = true;
      continue;
    }
    if (digits > 0 && (byte === LOWER_E || byte === UPPER_E)) hasLargeNumber = true;
    digits = 0;
    if (byte === QUOTE) inText = true;
    else if (byte === COMMA) values += 1;
    else if (byte === BRACE || byte === BRACKET) {
      values += 1;
      open += 1;
      depth = Math.max(depth, open);
    } else if (byte === END_BRACE || byte === END_BRACKET) open -= 1;
  }
  return { depth, values, hasLargeNumber };
}
