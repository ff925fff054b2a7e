// The shape of the rows in which this folder writes the print service's documented interface down. The rows are copied from the page, never
// from the app's own schemas: contract.test.ts compares the two.

/**
 * A type as the page writes it. `timestamp` is that of orders and events (`+00:00`), `storeTimestamp` that of store products (`+0000`),
 * `date` YYYY-MM-DD; `map` is an object whose keys are data, with values of `valueType`.
 */
type FieldType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'storeTimestamp'
  | 'date'
  | 'object'
  | 'map'
  | 'string[]'
  | 'date[]'
  | 'object[]';

/** One field of a request, an answer or an event. What the page does not say of it is absent. */
export interface Field {
  name: string;
  type: FieldType;
  /** The page marks it required. */
  required?: true;
  /** A field of a request of which the page does not say whether it may be left out. */
  unmarked?: true;
  /** "Requires ...": the field beside it without which it may not be given. */
  needs?: string;
  /** The page says that it may be null. */
  nullable?: true;
  /** The page says that only some answers have it. */
  optional?: true;
  /** Characters of a text. */
  maxLength?: number;
  /** Entries of a list. */
  maxEntries?: number;
  min?: number;
  max?: number;
  /** What the service takes for a field left out. */
  default?: string | number | boolean;
  pattern?: Pattern;
  /** Every value that the page lists. */
  values?: readonly string[];
  /** Values that the reading notes add in answers. */
  furtherValues?: readonly string[];
  /** No two entries of the list have the same. */
  unique?: true;
  /** Also a bare text (a list of one), where the page or the reading notes say so. */
  bareToo?: true;
  /** Also typed integer by a table of the page: it is read as its text. */
  integerToo?: true;
  fields?: readonly Field[];
  valueType?: 'string' | 'integer' | 'string[]' | 'measure' | 'map';
}

/** A pattern of the page with texts that it takes and texts that it does not. */
export interface Pattern {
  source: string;
  takes: readonly string[];
  refuses: readonly string[];
}

/** Changes to a body: a path such as `items[0].quantity` and its new value; undefined takes the field away. */
export type Changes = Readonly<Record<string, unknown>>;

/** A rule of the page over several fields. */
export interface Rule {
  says: string;
  takes: readonly Changes[];
  /** Changes that break it, and the fields one of which the refusal names. */
  refuses: readonly { changes: Changes; names: readonly string[] }[];
  /** Only the service can know it (what a product is, which countries it serves): no schema checks it. */
  serviceOnly?: true;
}

/** Which host placeholder of the page a call goes to; `legacy` is both the live and the test host of the earlier interface. */
type Host = 'order' | 'ecommerce' | 'product' | 'legacy';

/** One call: method, path with `{parameters}`, request and answer. */
export interface Call {
  name: string;
  host: Host;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Null: the call has no body. */
  request: readonly Field[] | null;
  /** Null: the page does not show the answer. */
  response: readonly Field[] | null;
  rules?: readonly Rule[];
  /** Fields that the page says this call's request, or answer, does not have. */
  requestLacks?: readonly string[];
  responseLacks?: readonly string[];
}

/** One event payload; `style` tells which field names it. */
export interface EventKind {
  style: 'event' | 'object';
  name: string;
  /** Without `id`: the page says so of one payload. */
  lacksId?: true;
  fields: readonly Field[];
  /** Second spellings: what the payload may also call a field. */
  alsoSpelled?: Readonly<Record<string, string>>;
}

/** `[path, field]` of every field under `fields`: `items[].previews[].url`. */
export function walk(fields: readonly Field[], prefix = ''): { path: string; field: Field }[] {
  return fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    const below = field.type === 'object[]' ? `${path}[].` : `${path}.`;
    return [{ path, field }, ...walk(field.fields ?? [], below)];
  });
}
