import { toStorableJsonText } from '../../to-storable-json-text.ts';

/** Parses JSON text into a value whose strings the database can store. Returns undefined for any other text. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(toStorableJsonText(body));
  } catch {
    return undefined;
  }
}

/** Returns true for a JSON object, but not for a list or null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
