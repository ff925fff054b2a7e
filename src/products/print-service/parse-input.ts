import { z } from 'zod';
import { describeIssue } from '../../describe-issue.ts';
import { InvalidInputError } from '../../errors.ts';
import { openSlices } from '../../slices.ts';

/** Maximum number of entries of one list. A product in the store has at most as many variants. */
const MAX_ENTRIES = 2_048;
/** Maximum number of entries of all lists of a request together. */
const MAX_ALL_ENTRIES = 10_000;

/** The fields that `parseInput` parses in slices, because they may have `MAX_ENTRIES` entries. */
const longFields = { list: new WeakSet<z.ZodType>(), record: new WeakSet<z.ZodType>() };

/** A list of at most `MAX_ENTRIES` entries, as a field of `parseInput`'s schema. Without a value, it is empty. */
export function longList<Entry extends z.ZodType>(entry: Entry) {
  const list = z.array(entry).max(MAX_ENTRIES).default([]);
  longFields.list.add(list);
  return list;
}

/** An object of at most `MAX_ENTRIES` entries with any keys, as a field of `parseInput`'s schema. Without a value, it is empty. */
export function longRecord<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(key: Key, value: Value) {
  const record = z
    .record(key, value)
    .meta({ maxProperties: MAX_ENTRIES })
    .default({} as never);
  longFields.record.add(record);
  return record;
}

/**
 * Parses input from a person or a program. Other work can run between two entries of a long list. Throws an InvalidInputError that names
 * the first invalid field and its rule.
 */
export async function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  input: Record<string, unknown>,
): Promise<z.output<Schema>> {
  refuseValues(input, []);
  const giveWay = openSlices();
  const long = Object.entries(schema.shape).filter(([name, field]) => isLong(field, input[name]));
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => long.every(([of]) => of !== name)));
  const parsed: Record<string, unknown> = parsePart(schema, schema, rest, null);
  for (const [name, field] of long) {
    const given = input[name] as object;
    const entries: unknown[] = [];
    for (const [key, one] of Object.entries(given)) {
      await giveWay();
      const part = Array.isArray(given) ? [one] : { [key]: one };
      entries.push(parsePart(schema, field, part, { name, key: Array.isArray(given) ? Number(key) : key }));
    }
    parsed[name] = Array.isArray(given) ? entries.flat(1) : Object.assign({}, ...entries);
  }
  return parsed as z.output<Schema>;
}

function isLong(field: z.ZodType, given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  return longFields[Array.isArray(given) ? 'list' : 'record'].has(field);
}

/** Parses the whole input without its long fields, or one entry of a long field. */
function parsePart<Part extends z.ZodType>(
  { shape }: z.ZodObject,
  part: Part,
  value: unknown,
  entry: { name: string; key: string | number } | null,
): z.output<Part> {
  const parsed = part.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...(issue?.path ?? [])];
  if (entry !== null) path.splice(0, 1, entry.name, entry.key);
  if (issue?.code === 'unrecognized_keys') {
    const field = z.core.toDotPath([...path, issue.keys[0] ?? '']);
    const known = path.length === 0 ? `; the fields are ${Object.keys(shape).join(', ')}` : '';
    throw new InvalidInputError(field, `${field}: is not a known field${known}.`);
  }
  const field = z.core.toDotPath(path) || 'body';
  const message = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  throw new InvalidInputError(field, `${field}: ${message ?? 'is not valid'}.`);
}

/**
 * Throws an InvalidInputError for a list or an object with too many entries, for a field named `__proto__`, which a schema drops silently,
 * and for a text that the database cannot store, because it contains a null character or an unpaired surrogate.
 */
function refuseValues(value: unknown, path: PropertyKey[], count = { all: 0 }): void {
  const fieldOf = (): string => z.core.toDotPath(path) || 'body';
  if (typeof value === 'string' && !isStorable(value))
    throw new InvalidInputError(fieldOf(), `${fieldOf()}: contains an invalid character.`);
  if (typeof value !== 'object' || value === null) return;
  const keys = Object.keys(value);
  if (keys.length > MAX_ENTRIES)
    throw new InvalidInputError(fieldOf(), `${fieldOf()}: must have at most ${MAX_ENTRIES} entries.`);
  if (Array.isArray(value) || path.length === 1) count.all += keys.length;
  if (count.all > MAX_ALL_ENTRIES)
    throw new InvalidInputError(
      fieldOf(),
      `${fieldOf()}: all lists of the request together must have at most ${MAX_ALL_ENTRIES} entries.`,
    );
  for (const key of keys) {
    if (!isStorable(key)) throw new InvalidInputError(fieldOf(), `${fieldOf()}: contains an invalid character.`);
    path.push(Array.isArray(value) ? Number(key) : key);
    if (key === '__proto__') throw new InvalidInputError(fieldOf(), `${fieldOf()}: is not a known field.`);
    refuseValues((value as Record<string, unknown>)[key], path, count);
    path.pop();
  }
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
