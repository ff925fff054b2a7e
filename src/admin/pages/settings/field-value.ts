import { toShopDay, startOfDay } from '../../format.ts';
import type { Field } from './sections.ts';

/** The value of a field's inputs: a text, a switch, the parts of a group, or rows of such parts. */
export type Raw = string | boolean | RawGroup | RawGroup[];
export type RawGroup = { [name: string]: Raw };

/** Converts a setting's value for the field's inputs. */
export function toRaw(field: Field, value: unknown): Raw {
  switch (field.kind) {
    case 'switch':
      return value === true;
    case 'list':
      return Array.isArray(value) ? value.map(quoteEntry).join(', ') : '';
    case 'moment':
      return typeof value === 'string' ? toShopDay(value) : '';
    case 'group':
      return toRawGroup(field.fields, value);
    case 'rows':
      return Array.isArray(value) ? value.map((row: unknown) => toRawGroup(field.row, row)) : [];
    default:
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  }
}

export function toRawGroup(fields: readonly Field[], value: unknown): RawGroup {
  const parts = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  return Object.fromEntries(fields.map((field) => [field.name, toRaw(field, parts[field.name])]));
}

/** Returns the value that the API expects, or undefined to omit the field. The API validates the value. */
export function toValue(field: Field, raw: Raw): unknown {
  const value = toFilledValue(field, raw);
  return value === undefined && field.empty !== undefined ? EMPTY[field.empty]() : value;
}

const EMPTY = { null: () => null, list: (): unknown[] => [], object: () => ({}), text: () => '' };

function toFilledValue(field: Field, raw: Raw): unknown {
  if (typeof raw === 'boolean') return raw;
  if (Array.isArray(raw))
    return field.kind === 'rows' && raw.length > 0 ? raw.map((row) => toParts(field.row, row)) : undefined;
  if (typeof raw === 'object') {
    const parts = field.kind === 'group' ? toParts(field.fields, raw) : {};
    // A group whose switches are all off and whose fields are all empty has no value.
    return Object.values(parts).some((part) => part !== false) ? parts : undefined;
  }
  const text = raw.trim();
  if (text === '') return undefined;
  if (field.kind === 'list') return splitEntries(text);
  if (field.kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  // Some people type a decimal comma.
  if (field.kind === 'amount') return text.replace(/^(\d+),(\d{1,4})$/, '$1.$2');
  return field.kind === 'moment' ? startOfDay(text) : text;
}

function toParts(fields: readonly Field[], raw: RawGroup): Record<string, unknown> {
  const parts = fields.map((field) => [field.name, toValue(field, raw[field.name] ?? '')] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

/** Quotes an entry that contains a comma, a line break or a quotation mark, as in a CSV file. */
function quoteEntry(entry: unknown): string {
  const text = String(entry);
  return /[,\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function splitEntries(text: string): string[] {
  const entries = text.match(/"(?:[^"]|"")*"|[^,\n]+/g) ?? [];
  return entries
    .map((entry) => entry.trim())
    .map((entry) => (/^".*"$/s.test(entry) ? entry.slice(1, -1).replaceAll('""', '"') : entry))
    .filter((entry) => entry !== '');
}

/** Returns the new values of the settings whose fields differ from the saved values. */
export function findChanges(fields: readonly Field[], saved: RawGroup, draft: RawGroup): Record<string, unknown> {
  const changed = fields.filter(({ name }) => JSON.stringify(saved[name]) !== JSON.stringify(draft[name]));
  return Object.fromEntries(changed.map((field) => [field.name, toValue(field, draft[field.name] ?? '')]));
}

/**
 * Returns the path of the field that shows an error: the field that the API names, or the closest one around it. Returns null if the form
 * has no such field.
 */
export function findErrorPath(fields: readonly Field[], draft: RawGroup, named: string): string | null {
  const [name, ...rest] = named.split('.');
  const field = fields.find((one) => one.name === name);
  if (!field || name === undefined) return null;
  const raw = draft[name];
  const inner =
    field.kind === 'group'
      ? findErrorPath(field.fields, raw as RawGroup, rest.join('.'))
      : field.kind === 'rows'
        ? findRowErrorPath(field.row, raw as RawGroup[], rest)
        : null;
  return inner === null ? name : `${name}.${inner}`;
}

function findRowErrorPath(
  row: readonly Field[],
  raw: readonly RawGroup[],
  [index = '', ...rest]: string[],
): string | null {
  const parts = raw[Number(index)];
  if (index === '' || !parts) return null;
  const inner = findErrorPath(row, parts, rest.join('.'));
  return inner === null ? index : `${index}.${inner}`;
}
