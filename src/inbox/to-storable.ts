import { isJsonObject } from './parse-json-object.ts';

/**
 * The same JSON value as PostgreSQL can keep it: jsonb refuses NUL characters (22P05) and lone surrogates, which are legal JSON.
 * NULs are left out, a lone surrogate becomes U+FFFD. The value must come from `parseJsonObject`, which bounds its depth.
 */
export function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(toStorable);
  if (!isJsonObject(value)) return value;
  // fromEntries defines own properties: a key `__proto__` stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toStorableText(key), toStorable(inner)]));
}

/** A text that a column of type text takes. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
