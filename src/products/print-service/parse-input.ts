import { z } from 'zod';
import { describeIssue } from '../../describe-issue.ts';
import { InvalidInputError } from '../../errors.ts';

/** Maximum number of entries of one list. A product in the store has at most as many variants. */
export const MAX_ENTRIES = 2_048;
/** Maximum number of entries of all lists of a request together. */
const MAX_ALL_ENTRIES = 10_000;

/** Parses input from a person or a program. Throws an InvalidInputError that names the first invalid field and its rule. */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  input: Record<string, unknown>,
): z.output<Schema> {
  refuseLongLists(input);
  const dropped = findProtoField(input, []);
  if (dropped !== null) throw new InvalidInputError(dropped, `${dropped}: is not a known field.`);
  const parsed = schema.safeParse(input, { error: describeIssue });
  if (parsed.success) {
    const field = findUnstorable(parsed.data, []);
    if (field === null) return parsed.data;
    throw new InvalidInputError(field, `${field}: contains an invalid character.`);
  }
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const path = [...issue.path, issue.keys[0] ?? ''];
    const field = z.core.toDotPath(path);
    const known = issue.path.length === 0 ? `; the fields are ${Object.keys(schema.shape).join(', ')}` : '';
    throw new InvalidInputError(field, `${field}: is not a known field${known}.`);
  }
  const field = z.core.toDotPath(issue?.path ?? []) || 'body';
  const message = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  throw new InvalidInputError(field, `${field}: ${message ?? 'is not valid'}.`);
}

/** Throws an InvalidInputError for a list or an object with too many entries, before each entry is checked. */
function refuseLongLists(input: Record<string, unknown>): void {
  let all = 0;
  const refuse = (value: unknown, path: (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const field = z.core.toDotPath(path);
    const { length } = Object.keys(value);
    if (length > MAX_ENTRIES)
      throw new InvalidInputError(field || 'body', `${field || 'body'}: must have at most ${MAX_ENTRIES} entries.`);
    if (Array.isArray(value) || path.length === 1) all += length;
    if (all > MAX_ALL_ENTRIES)
      throw new InvalidInputError(
        field,
        `${field}: all lists of the request together must have at most ${MAX_ALL_ENTRIES} entries.`,
      );
    for (const [key, one] of Object.entries(value)) refuse(one, [...path, Array.isArray(value) ? Number(key) : key]);
  };
  refuse(input, []);
}

/** Finds the path of a field named `__proto__`, which a schema drops silently. Returns null if there is no such field. */
function findProtoField(value: unknown, path: (string | number)[]): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, one] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    const found = key === '__proto__' ? z.core.toDotPath(at) : findProtoField(one, at);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Finds the path of a text that the database cannot store, because it contains a null character or an unpaired surrogate. Returns null if
 * there is no such text.
 */
function findUnstorable(value: unknown, path: (string | number)[]): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : z.core.toDotPath(path);
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, one] of Object.entries(value)) {
    if (!isStorable(key)) return z.core.toDotPath(path);
    const found = findUnstorable(one, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== null) return found;
  }
  return null;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
