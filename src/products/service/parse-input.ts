import { z } from 'zod';
import { InvalidInputError } from '../../errors.ts';

/**
 * Input of a person or a program, read by its schema. Throws InvalidInputError that names the first field that is wrong, and what it
 * may be.
 */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  input: Record<string, unknown>,
): z.output<Schema> {
  const dropped = findDropped(input, []);
  if (dropped !== null) throw new InvalidInputError(dropped, `${dropped}: is not known.`);
  const parsed = schema.safeParse(input);
  if (parsed.success) {
    const field = findUnkept(parsed.data, []);
    if (field === null) return parsed.data;
    throw new InvalidInputError(field, `${field}: has a character in it that is none.`);
  }
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const path = [...issue.path, issue.keys[0] ?? ''];
    const field = z.core.toDotPath(path);
    const known = issue.path.length === 0 ? `; there are ${Object.keys(schema.shape).join(', ')}` : '';
    throw new InvalidInputError(field, `${field}: is not known${known}.`);
  }
  const field = z.core.toDotPath(issue?.path ?? []) || 'body';
  const message = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  throw new InvalidInputError(field, `${field}: ${message ?? 'is not understood'}.`);
}

/** Where a field has the name `__proto__`, which a schema leaves out in silence; null: nowhere. */
function findDropped(value: unknown, path: (string | number)[]): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, one] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    const found = key === '__proto__' ? z.core.toDotPath(at) : findDropped(one, at);
    if (found !== null) return found;
  }
  return null;
}

/** Where a text stands that the database does not keep: with a zero character, or half of a surrogate pair; null: nowhere. */
function findUnkept(value: unknown, path: (string | number)[]): string | null {
  if (typeof value === 'string') return isKept(value) ? null : z.core.toDotPath(path);
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, one] of Object.entries(value)) {
    if (!isKept(key)) return z.core.toDotPath(path);
    const found = findUnkept(one, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== null) return found;
  }
  return null;
}

function isKept(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
