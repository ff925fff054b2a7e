import type { z } from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/**
 * Returns the rule that a person's or program's input breaks, for fields whose schema names no rule itself. Pass it to a schema's parse
 * function. Otherwise, the response would contain the validator's own message.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? 'is not valid';
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_big' && issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
  if (issue.code === 'unrecognized_keys') return `must not contain ${issue.keys.join(', ')}`;
  return 'is not valid';
}
