import type { z } from 'zod';
import { parseOrRefuse } from '../refusal.ts';

const ROUNDS = 10;

/**
 * Parses a request body with `schema`. Unknown fields are removed first, because the service ignores them while the app's own
 * schema is strict. Throws a `Refusal` (400) that names each invalid field.
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const known = structuredClone(body);
  for (let round = 0; round < ROUNDS; round += 1) {
    const issues = schema.safeParse(known).error?.issues ?? [];
    const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys');
    if (unknown.length === 0) break;
    for (const issue of unknown) drop(known, issue.path, issue.keys);
  }
  return parseOrRefuse(schema, known);
}

function drop(root: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  const holder = path.reduce<unknown>((value, step) => (isObject(value) ? Reflect.get(value, step) : undefined), root);
  if (isObject(holder)) for (const key of keys) Reflect.deleteProperty(holder, key);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
