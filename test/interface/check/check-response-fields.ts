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

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
const STORE_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

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

function isOfType(value: unknown, { type, valueType }: Field): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'timestamp':
      return typeof value === 'string' && TIMESTAMP.test(value);
    case 'storeTimestamp':
      return typeof value === 'string' && STORE_TIMESTAMP.test(value);
    case 'date':
      return typeof value === 'string' && DATE.test(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'string[]':
    case 'date[]':
      return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
    case 'object[]':
      return Array.isArray(value) && value.every(isPlainObject);
    case 'object':
      return isPlainObject(value);
    case 'map':
      return isPlainObject(value) && Object.values(value).every((entry) => isMapValue(entry, valueType));
  }
}

function isMapValue(value: unknown, valueType: Field['valueType']): boolean {
  switch (valueType) {
    case 'integer':
      return Number.isInteger(value);
    case 'string[]':
      return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
    case 'measure':
      return isPlainObject(value) && typeof value['value'] === 'number' && typeof value['measureUnit'] === 'string';
    case 'map':
      return isPlainObject(value) && Object.values(value).every((entry) => Number.isInteger(entry));
    default:
      return typeof value === 'string';
  }
}

function isListed(value: unknown, { values = [], furtherValues = [] }: Field): boolean {
  const listed = new Set<unknown>([...values, ...furtherValues]);
  return Array.isArray(value) ? value.every((entry) => listed.has(entry)) : listed.has(value);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
