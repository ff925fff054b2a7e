import { InvalidInputError } from '../errors.ts';
import { toStorableJsonText } from '../to-storable-json-text.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
const SPACES = new Set(Buffer.from(' \t\r\n'));
const NUMBER_BYTES = new Set(Buffer.from('0123456789.eE+-'));
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
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
 * because a JavaScript number would round it to a different ID. The database can store all returned strings and keys. Keys named
 * `toString` or `valueOf` are left out, because the validation of a value that cannot be converted would fail. Throws
 * InvalidInputError if the bytes are not a JSON object, are nested deeper than 64 levels or have more than `maxValues` values.
 */
export function parseJsonObject(raw: Buffer, maxValues: number = MAX_VALUES): Record<string, unknown> {
  // The depth and the number of values are checked before parsing, because later code is recursive and each value takes time.
  const { depth, values, largeNumbers } = scanValues(raw);
  if (depth > MAX_DEPTH) throw new InvalidInputError('body', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  if (values > maxValues) throw new InvalidInputError('body', `The body has more than ${maxValues} values.`);
  const parsed = parseText(toStorableJsonText(decoder.decode(withQuotes(raw, largeNumbers))));
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

/** Keys that replace the methods with which JavaScript converts an object, also if one of their letters is escaped. */
const METHODS = /toString|valueOf|\\u00[4-7]/;

function withoutMethods(key: string, value: unknown): unknown {
  return key === 'toString' || key === 'valueOf' ? undefined : value;
}

function parseText(text: string): unknown {
  try {
    // A reviver takes ten times as long as the parser, so it runs only if needed.
    return METHODS.test(text) ? JSON.parse(text, withoutMethods) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Span {
  start: number;
  end: number;
}

/** Puts quotes around the whole numbers above 2^53. A reviver could also keep their digits, but takes ten times as long as the parser. */
function withQuotes(raw: Buffer, numbers: readonly Span[]): Buffer {
  const large = numbers.filter((span) => isLargeInteger(raw, span));
  if (large.length === 0) return raw;
  const quoted = Buffer.alloc(raw.length + 2 * large.length);
  let [from, to] = [0, 0];
  for (const { start, end } of large) {
    to += raw.copy(quoted, to, from, start);
    quoted[to] = QUOTE;
    to += 1 + raw.copy(quoted, to + 1, start, end);
    quoted[to] = QUOTE;
    to += 1;
    from = end;
  }
  raw.copy(quoted, to, from);
  return quoted;
}

function isLargeInteger(raw: Buffer, { start, end }: Span): boolean {
  const text = raw.toString('latin1', start, end);
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isInteger(value) || Number.isSafeInteger(value)) return false;
  let next = end;
  while (SPACES.has(raw[next] as number)) next += 1;
  // Otherwise, quotes would make a key of a number that is not a value.
  return KINDS[raw[next] as number] === NEXT || KINDS[raw[next] as number] === CLOSE;
}

/**
 * Determines a body's nesting depth, an upper limit for its number of values, and the numbers that may be too large to be exact. Works on
 * bytes, because no byte of a multi-byte UTF-8 character is a bracket, quote or digit. Stops if the nesting is too deep. Every webhook is
 * scanned, so a common byte costs only one lookup.
 */
function scanValues(raw: Buffer): { depth: number; values: number; largeNumbers: Span[] } {
  const { length } = raw;
  let [open, depth, values, digits] = [0, 0, 1, 0];
  const largeNumbers: Span[] = [];
  for (let at = 0; at < length && depth <= MAX_DEPTH; at += 1) {
    const byte = raw[at] as number;
    const kind = KINDS[byte] as number;
    if (kind === DIGIT) {
      digits += 1;
      if (digits < LARGE_DIGITS) continue;
    }
    if (digits >= LARGE_DIGITS || (digits > 0 && (byte === LOWER_E || byte === UPPER_E))) {
      const number = findNumber(raw, at);
      largeNumbers.push(number);
      at = number.end - 1;
      digits = 0;
      continue;
    }
    digits = 0;
    if (kind === OTHER) continue;
    if (kind === TEXT) at = findStringEnd(raw, at + 1, length);
    else if (kind === NEXT) values += 1;
    else if (kind === OPEN) {
      values += 1;
      open += 1;
      if (open > depth) depth = open;
    } else open -= 1;
  }
  return { depth, values, largeNumbers };
}

/** Finds the bytes of the number at a position. */
function findNumber(raw: Buffer, at: number): Span {
  let [start, end] = [at, at];
  while (NUMBER_BYTES.has(raw[start - 1] as number)) start -= 1;
  while (NUMBER_BYTES.has(raw[end] as number)) end += 1;
  return { start, end };
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
