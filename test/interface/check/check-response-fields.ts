import { concrete } from '../table/bodies.ts';
import type { Field } from '../table/table.ts';

/** The rows that a response is compared with. */
export interface Expectation {
  /** The prefix of the rows' names in a difference, such as `quote response`. */
  rows: string;
  fields: readonly Field[];
  /** Rows that may be null although the page does not allow null, with the reason for each. */
  mayBeNull?: Readonly<Record<string, string>>;
  /** For some rows, an additional value that neither the page nor the reading notes list. */
  mayBe?: Readonly<Record<string, string>>;
}

/**
 * Returns the differences between a response or event of the stand-in and its rows.
 */
export function checkResponseFields(answer: unknown, expected: Expectation, prefix = ''): string[] {
  return expected.fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    const value =
      typeof answer === 'object' && answer !== null ? (Reflect.get(answer, field.name) as unknown) : undefined;
    const says = (what: string) => [`${expected.rows} ${path}: ${what}`];
    if (value === undefined) return field.optional === true ? [] : says('absent');
    if (value === null) {
      const allowed = field.nullable === true || expected.mayBeNull?.[path] !== undefined;
      return allowed ? [] : says('null');
    }
    const values = field.allowsSingleString === true && typeof value === 'string' ? [value] : value;
    if (!isOfType(values, field)) return says(`${JSON.stringify(value).slice(0, 80)} is not of type ${field.type}`);
    if (field.values !== undefined && value !== expected.mayBe?.[path] && !isListed(value, field)) {
      return says(`${JSON.stringify(value)} is not listed`);
    }
    if (field.fields === undefined) return [];
    const inner = { ...expected, fields: field.fields };
    if (!Array.isArray(value)) return checkResponseFields(value, inner, `${path}.`);
    return value.flatMap((entry: unknown) => checkResponseFields(entry, inner, `${path}[].`));
  });
}

/** Returns the fields that a response contains although the page states that it lacks them. */
export function checkAbsentFields(answer: unknown, rows: string, lacks: readonly string[]): string[] {
  return lacks.filter((path) => has(answer, concrete(path))).map((path) => `${rows} ${path}: present`);
}

function has(value: unknown, path: string): boolean {
  let holder = value;
  for (const step of path.split(/[.[\]]+/).filter((one) => one !== '')) {
    if (typeof holder !== 'object' || holder === null || !Reflect.has(holder, step)) return false;
    holder = Reflect.get(holder, step) as unknown;
  }
  return true;
}

const isStrings = (value: unknown) => Array.isArray(value) && value.every((entry) => typeof entry === 'string');
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

const CHECKS: Record<Exclude<Field['type'], 'map'>, (value: unknown) => boolean> = {
  string: matches(/^/),
  timestamp: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
  storeTimestamp: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/),
  date: matches(/^\d{4}-\d\d-\d\d$/),
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  'string[]': isStrings,
  'date[]': isStrings,
  'object[]': (value) => Array.isArray(value) && value.every(isPlainObject),
  object: isPlainObject,
};

const MAP_CHECKS: Record<NonNullable<Field['valueType']>, (value: unknown) => boolean> = {
  string: CHECKS.string,
  integer: CHECKS.integer,
  'string[]': isStrings,
  measure: (value) =>
    isPlainObject(value) && typeof value['value'] === 'number' && typeof value['measureUnit'] === 'string',
  map: (value) => isPlainObject(value) && Object.values(value).every(CHECKS.integer),
};

function isOfType(value: unknown, { type, valueType = 'string' }: Field): boolean {
  if (type !== 'map') return CHECKS[type](value);
  return isPlainObject(value) && Object.values(value).every(MAP_CHECKS[valueType]);
}

function isListed(value: unknown, { values = [], furtherValues = [] }: Field): boolean {
  const listed = new Set<unknown>([...values, ...furtherValues]);
  return Array.isArray(value) ? value.every((entry) => listed.has(entry)) : listed.has(value);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
