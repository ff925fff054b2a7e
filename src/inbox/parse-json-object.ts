import { InvalidInputError } from '../errors.ts';
import { toStorableJsonText } from '../to-storable-json-text.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
/** The possible meanings of a byte outside a string. */
const [OTHER, DIGIT, TEXT, NEXT, OPEN, CLOSE] = [0, 1, 2, 3, 4, 5] as const;
const KINDS = toKinds({ [DIGIT]: '0123456789', [TEXT]: '"', [NEXT]: ',', [OPEN]: '{[', [CLOSE]: '}]' });
const MAX_DEPTH = 64;
/** The maximum number of values. An order of 2 MiB, the largest body that an endpoint accepts, has fewer than half as many values. */
const MAX_VALUES = 200_000;
/** A whole number with fewer digits than this is exact as a JavaScript number. */
const LARGE_DIGITS = 16;
const decoder = new TextDecoder();

/**
 * Parses the raw bytes of a JSON object that an endpoint received. A whole number above 2^53 becomes a string with its exact digits,
 * because a JavaScript number would round it to a different ID. The database can store all returned strings and keys. Throws
 * InvalidInputError if the bytes are not a JSON object, are nested deeper than 64 levels or have more than `maxValues` values.
 */
export function parseJsonObject(raw: Buffer, maxValues: number = MAX_VALUES): Record<string, unknown> {
  // The depth and the number of values are checked before parsing, because later code is recursive and each value takes time.
  const { depth, values, hasLargeNumber } = scanValues(raw);
  if (depth > MAX_DEPTH) throw new InvalidInputError('body', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  if (values > maxValues) throw new InvalidInputError('body', `The body has more than ${maxValues} values.`);
  const parsed = parseText(toStorableJsonText(decoder.decode(raw)), hasLargeNumber);
  if (!isJsonObject(parsed)) throw new InvalidInputError('body', 'The body must be a JSON object.');
  return parsed;
}

/** Returns true for a JSON object, but not for a list or null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toKinds(characters: Record<number, string>): Uint8Array {
  const kinds = new Uint8Array(256);
  for (const [kind, all] of Object.entries(characters)) for (const one of all) kinds[one.charCodeAt(0)] = Number(kind);
  return kinds;
}

/** Uses a reviver only if a number requires it, because a reviver is much slower than the parser alone. */
function parseText(text: string, hasLargeNumber: boolean): unknown {
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
 * Determines a body's nesting depth, an upper limit for its number of values, and whether a number may be too large to be exact. Works on
 * bytes, because no byte of a multi-byte UTF-8 character is a bracket, quote or digit. Stops if the nesting is too deep. Every webhook is
 * scanned, so a common byte costs only one lookup.
 */
function scanValues(raw: Buffer): { depth: number; values: number; hasLargeNumber: boolean } {
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
    if (kind === TEXT) at = findStringEnd(raw, at + 1, length);
    else if (kind === NEXT) values += 1;
    else if (kind === OPEN) {
      values += 1;
      open += 1;
      if (open > depth) depth = open;
    } else open -= 1;
  }
  return { depth, values, hasLargeNumber };
}

/** Returns the position of the quote that ends a string, or the body's length if no quote follows. */
function findStringEnd(raw: Buffer, start: number, length: number): number {
  let at = start;
  while (at < length) {
    const byte = raw[at] as number;
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return length;
}
