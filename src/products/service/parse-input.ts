import { z } from 'zod';
import { InvalidInputError } from '../../errors.ts';

/** Input of a person or a program, read by its schema. Throws InvalidInputError that names the first field that is wrong, and what it may be. */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  input: Record<string, unknown>,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
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
