import { walk, type Changes, type Field } from './table.ts';

// Creates bodies from the rows of a table: complete, at a limit or invalid.

/** Values for some fields, by path or name. The values of other fields are created from their rows. */
export type Samples = Readonly<Record<string, unknown>>;

/**
 * A body that must be accepted, or must be refused with an error that names one of `names`. `row` is the path of the row that the body
 * tests.
 */
export interface Variant {
  row: string;
  says: string;
  body: unknown;
  names: readonly string[];
}

/** Returns a body with every field of the rows, each with a value of its type. */
export function fullBody(fields: readonly Field[], samples: Samples = {}, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field, samples, `${prefix}${field.name}`)]));
}

/** Returns a body with only the required fields. */
export function minimalBody(fields: readonly Field[], samples: Samples = {}, prefix = ''): Record<string, unknown> {
  const required = fields.filter((field) => field.required === true);
  return Object.fromEntries(
    required.map((field) => {
      const path = `${prefix}${field.name}`;
      if (field.fields === undefined) return [field.name, valueOf(field, samples, path)];
      const inner = minimalBody(field.fields, samples, `${path}${field.type === 'object[]' ? '[].' : '.'}`);
      return [field.name, field.type === 'object[]' ? [inner] : inner];
    }),
  );
}

/** Returns `body` with changes at concrete paths such as `items[0].quantity`. */
export function change(body: unknown, changes: Changes): unknown {
  const changed: unknown = structuredClone(body);
  for (const [path, value] of Object.entries(changes)) {
    const steps = stepsOf(path);
    const last = steps.pop() ?? '';
    let holder: unknown = changed;
    for (const step of steps) {
      if (isObject(holder) && Reflect.get(holder, step) === undefined) Reflect.set(holder, step, {});
      holder = isObject(holder) ? Reflect.get(holder, step) : undefined;
    }
    if (!isObject(holder)) throw new Error(`the body has no ${path}`);
    if (value === undefined) Reflect.deleteProperty(holder, last);
    else Reflect.set(holder, last, value);
  }
  return changed;
}

/** Returns the value at a concrete path, or undefined if the body has no value there. */
export function at(body: unknown, path: string): unknown {
  return stepsOf(path).reduce(
    (value, step) => (isObject(value) ? (Reflect.get(value, step) as unknown) : undefined),
    body,
  );
}

/** Returns the path of a row's first occurrence in a body: `items[0].quantity` for `items[].quantity`. */
export function concrete(row: string): string {
  return row.replaceAll('[]', '[0]');
}

/** Returns bodies that the rows allow: each limit reached, each listed value, each optional field omitted. */
export function allowedVariants(fields: readonly Field[], full: unknown): Variant[] {
  return walk(fields).flatMap(({ path, field }) => {
    const place = concrete(path);
    const variant = (says: string, value: unknown) => ({
      row: path,
      says,
      body: change(full, { [place]: value }),
      names: [],
    });
    return [
      ...(field.required === true || field.unmarked === true ? [] : [omitField(fields, path, full)]),
      ...limitsOf(field, at(full, place)).map(({ says, within }) => variant(says, within)),
      ...(field.values ?? []).map((value) => variant(`"${value}"`, inList(field, value))),
      ...(field.pattern?.takes ?? []).map((value) => variant(`"${value}"`, value)),
      ...(field.allowsSingleString === true ? [variant('a bare text', '2026-01-31')] : []),
    ];
  });
}

/** Returns bodies that the rows do not allow: each field missing, of a wrong type, beyond its limit or with an unlisted value. */
export function brokenVariants(fields: readonly Field[], full: unknown): Variant[] {
  return walk(fields).flatMap(({ path, field }) => {
    const place = concrete(path);
    const variant = (says: string, value: unknown) => ({
      row: path,
      says,
      body: change(full, { [place]: value }),
      names: [place],
    });
    return [
      ...(field.required === true ? [variant('missing', undefined)] : []),
      ...wrongTypes(field).map((value) => variant(`${JSON.stringify(value)} for ${field.type}`, value)),
      ...limitsOf(field, at(full, place)).map(({ says, past }) => variant(`past ${says}`, past)),
      ...(field.values === undefined ? [] : [variant('an unlisted value', inList(field, 'no_such_value'))]),
      ...(field.pattern?.refuses ?? []).map((value) => variant(`"${value}"`, value)),
      ...(field.unique === true ? [repeated(path, full)] : []),
    ];
  });
}

/** Returns bodies with an unlisted field in each object. `names` contains the field's path. */
export function unlistedFieldVariants(fields: readonly Field[], full: unknown, lacks: readonly string[]): Variant[] {
  const holders = walk(fields).filter(({ field }) => field.fields !== undefined);
  const places = [
    '',
    ...holders.map(({ path, field }) => `${concrete(path)}${field.type === 'object[]' ? '[0].' : '.'}`),
  ];
  return [...places.map((place) => `${place}noSuchField`), ...lacks].map((path) => ({
    row: path,
    says: 'a field that the page does not list',
    body: change(full, { [path]: 'x' }),
    names: [path],
  }));
}

/** Returns the body without a field and the fields that require it. */
function omitField(fields: readonly Field[], row: string, full: unknown): Variant {
  const holder = row.slice(0, row.lastIndexOf('.') + 1);
  const without = walk(fields).filter(
    ({ path, field }) => path === row || (path === `${holder}${field.name}` && `${holder}${field.needs}` === row),
  );
  const body = change(full, Object.fromEntries(without.map(({ path }) => [concrete(path), undefined])));
  return { row, says: 'omitted', body, names: [] };
}

function limitsOf(field: Field, value: unknown): { says: string; within: unknown; past: unknown }[] {
  const { maxLength, maxEntries, min, max } = field;
  const texts = (length: number) =>
    field.pattern?.source === 'E.123' ? `+${'1'.repeat(length - 1)}` : 'x'.repeat(length);
  const entries = (length: number) => Array.from({ length }, () => (Array.isArray(value) ? (value[0] as unknown) : {}));
  return [
    ...(maxLength === undefined
      ? []
      : [{ says: `maxLength ${maxLength}`, within: texts(maxLength), past: texts(maxLength + 1) }]),
    ...(maxEntries === undefined
      ? []
      : [{ says: `maxEntries ${maxEntries}`, within: entries(maxEntries), past: entries(maxEntries + 1) }]),
    ...(min === undefined ? [] : [{ says: `min ${min}`, within: min, past: min - 1 }]),
    ...(max === undefined ? [] : [{ says: `max ${max}`, within: max, past: max + 1 }]),
  ];
}

/** Values that the types do not accept. All other types refuse a number and an object. */
const WRONG_VALUES: Partial<Record<Field['type'], unknown[]>> = {
  integer: ['one', 1.5],
  number: ['one'],
  boolean: ['yes'],
  'string[]': [17, [17]],
  'date[]': [17, [17], ['yesterday']],
  object: ['x', 17],
  'object[]': ['x', 17],
  map: ['x', { key: 17 }],
};

function wrongTypes({ type, valueType }: Field): unknown[] {
  const wrong = WRONG_VALUES[type] ?? [17, { text: 'x' }];
  return type === 'map' && valueType === 'string[]' ? [...wrong, { key: [17] }] : wrong;
}

/** Returns the body with the first entry of the field's list repeated. */
function repeated(row: string, full: unknown): Variant {
  const list = row.slice(0, row.lastIndexOf('[]'));
  const name = row.slice(row.lastIndexOf('.') + 1);
  const place = concrete(list);
  const entries = at(full, place);
  const [first] = Array.isArray(entries) ? (entries as unknown[]) : [];
  return {
    row,
    says: 'the same value twice',
    body: change(full, { [place]: [first, first] }),
    names: [`${place}[1].${name}`],
  };
}

function inList(field: Field, value: string): unknown {
  return field.type === 'string[]' ? [value] : value;
}

function valueOf(field: Field, samples: Samples, path: string): unknown {
  if (path in samples) return samples[path];
  if (field.fields !== undefined) {
    const inner = fullBody(field.fields, samples, `${path}${field.type === 'object[]' ? '[].' : '.'}`);
    return field.type === 'object[]' ? [inner] : inner;
  }
  if (field.name in samples) return samples[field.name];
  if (field.values?.[0] !== undefined) return inList(field, field.values[0]);
  return field.pattern?.takes[0] ?? plainValue(field);
}

const PLAIN_VALUES: Partial<Record<Field['type'], unknown>> = {
  integer: 2,
  number: 12.5,
  boolean: true,
  timestamp: '2021-01-14T12:30:03+00:00',
  storeTimestamp: '2023-06-21T09:44:03+0000',
  date: '2026-01-31',
  'date[]': ['2021-01-14T12:30:03+00:00'],
};

function plainValue({ name, type, valueType }: Field): unknown {
  if (type in PLAIN_VALUES) return PLAIN_VALUES[type];
  if (type === 'string[]') return [`${name}-1`];
  if (type === 'map') return { key: MAP_VALUES[valueType ?? 'string'] };
  return /url$/i.test(name) ? `https://files.example/${name}` : `${name}-1`.slice(0, 15);
}

const MAP_VALUES = {
  string: 'value',
  integer: 3,
  'string[]': ['value'],
  measure: { value: 1.5, measureUnit: 'mm' },
  map: { value: 3 },
};

function stepsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((step) => step !== '');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
