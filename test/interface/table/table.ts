// The rows in this folder describe the print service's documented interface. They are copied from its page, never from the app's schemas:
// contract.test.ts compares the two.

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

/** One field of a request, an answer or an event. Properties that the page does not mention are absent. */
export interface Field {
  name: string;
  type: FieldType;
  /** The page marks it required. */
  required?: true;
  /** The page does not say whether a request may omit the field. */
  unmarked?: true;
  /** "Requires ...": the field may only be sent together with this one. */
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
  /** The service's default if the field is omitted. */
  default?: string | number | boolean;
  pattern?: Pattern;
  /** Every value that the page lists. */
  values?: readonly string[];
  /** Further values in answers, according to the reading notes. */
  furtherValues?: readonly string[];
  /** Its value must differ between the entries of the list. */
  unique?: true;
  /** A bare text is also allowed (a list of one), according to the page or the reading notes. */
  bareToo?: true;
  /** A table of the page also types it as an integer, which is read as text. */
  integerToo?: true;
  fields?: readonly Field[];
  valueType?: 'string' | 'integer' | 'string[]' | 'measure' | 'map';
}

/** A pattern of the page with examples that it accepts and refuses. */
export interface Pattern {
  source: string;
  takes: readonly string[];
  refuses: readonly string[];
}

/** Changes to a body: a path such as `items[0].quantity` and its new value; undefined removes the field. */
export type Changes = Readonly<Record<string, unknown>>;

/** A rule of the page about several fields. */
export interface Rule {
  says: string;
  takes: readonly Changes[];
  /** Changes that break it. The refusal names one of the fields in `names`. */
  refuses: readonly { changes: Changes; names: readonly string[] }[];
  /** Only the service can check it (such as its products and countries); no schema does. */
  serviceOnly?: true;
}

/** The host placeholder of a call. `legacy` is both the live and the test host of the earlier interface. */
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

/** One event payload. `style` is the field that contains its name. */
export interface EventKind {
  style: 'event' | 'object';
  name: string;
  /** The payload has no `id`. The page says this of one payload. */
  lacksId?: true;
  fields: readonly Field[];
  /** Second spellings of fields. */
  alsoSpelled?: Readonly<Record<string, string>>;
}

/** Every field below `fields` with its path, such as `items[].previews[].url`. */
export function walk(fields: readonly Field[], prefix = ''): { path: string; field: Field }[] {
  return fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    const below = field.type === 'object[]' ? `${path}[].` : `${path}.`;
    return [{ path, field }, ...walk(field.fields ?? [], below)];
  });
}
