import { InvalidInputError } from '../errors.ts';

const MAX_DEPTH = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/**
 * The JSON object that a door received, from its raw bytes. A whole number above 2^53 becomes a string of its exact digits: as a
 * number it would be another id. Throws InvalidInputError when the bytes are no JSON object or are nested deeper than 64.
 */
export function parseJsonObject(raw: Buffer): Record<string, unknown> {
  // The depth is counted before the parser runs: what it parses, later code walks and writes again by recursion.
  if (isTooDeep(raw)) throw new InvalidInputError('body', `The body is nested deeper than ${MAX_DEPTH}.`);
  const parsed = parse(new TextDecoder().decode(raw));
  if (!isJsonObject(parsed)) throw new InvalidInputError('body', 'The body must be a JSON object.');
  return parsed;
}

/** True of a JSON object, and not of a list or null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, keepLargeIds);
  } catch {
    return undefined;
  }
}

function keepLargeIds(_key: string, value: unknown, context?: { source?: string }): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source : value;
}

/** Reads bytes, not characters: no byte of a longer UTF-8 character is a bracket or a quote. */
function isTooDeep(raw: Buffer): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < raw.length; at += 1) {
    const byte = raw[at] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (OPENING.has(byte)) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (CLOSING.has(byte)) depth -= 1;
  }
  return false;
}
