// The rows in this folder describe the print service's documented interface. The rows are copied from its documentation page, never from
// the app's schemas, because contract.test.ts compares the rows with those schemas.

/**
 * A type as the page names it. `timestamp` is the format of orders and events (`+00:00`), `storeTimestamp` is that of store products
 * (`+0000`), and `date` is YYYY-MM-DD. `map` is an object whose keys are data, with values of `valueType`.
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

/** A field of a request, a response or an event. Properties that the page does not mention are absent. */
export interface Field {
  name: string;
  type: FieldType;
  /** The page marks the field as required. */
  required?: true;
  /** The page does not state whether a request may omit the field. */
  unmarked?: true;
  /** On the page: "Requires ...". This field may be sent only together with the named field. */
  needs?: string;
  /** According to the page, the field may be null. */
  nullable?: true;
  /** According to the page, only some responses have the field. */
  optional?: true;
  /** The maximum number of characters in a text. */
  maxLength?: number;
  /** The maximum number of entries in a list. */
  maxEntries?: number;
  min?: number;
  max?: number;
  pattern?: Pattern;
  /** All values that the page lists. */
  values?: readonly string[];
  /** Additional values in responses, according to the reading notes. */
  furtherValues?: readonly string[];
  /** The field's value must be different in each entry of the list. */
  unique?: true;
  /** According to the page or the reading notes, a single string also counts as a list with one entry. */
  allowsSingleString?: true;
  /** Another table on the page lists the type as integer. Integer values are read as strings. */
  allowsInteger?: true;
  fields?: readonly Field[];
  valueType?: 'string' | 'integer' | 'string[]' | 'measure' | 'map';
}

const MARKS = { '!': 'required', '?': 'optional', '~': 'nullable', '*': 'unmarked' } as const;

/**
 * Reads rows such as `id!, city! string 30, weight integer`: a name, its marks (! required, ? optional, ~ nullable, * unmarked), its type
 * (string by default) and its maximum length.
 */
export function rows(...lines: readonly string[]): Field[] {
  return lines
    .flatMap((line) => line.split(', '))
    .map((row) => {
      const [label = '', type = 'string', maxLength] = row.split(' ');
      const length = maxLength === undefined ? {} : { maxLength: Number(maxLength) };
      return { ...named(label), type: type as FieldType, ...length };
    });
}

/** Returns the row of an object. The name may have marks. */
export function object(label: string, fields: readonly Field[]): Field {
  return { ...named(label), type: 'object', fields };
}

export function list(label: string, fields: readonly Field[]): Field {
  return { ...named(label), type: 'object[]', fields };
}

function named(label: string): { name: string; required?: true } {
  const marks = Object.entries(MARKS).filter(([mark]) => label.includes(mark));
  return {
    name: label.replaceAll(/[!?~*]/g, ''),
    ...Object.fromEntries(marks.map(([, name]) => [name, true as const])),
  };
}

/** A pattern on the page, with examples that it matches and examples that it does not. */
export interface Pattern {
  source: string;
  takes: readonly string[];
  refuses: readonly string[];
}

/** Changes to a body: a path such as `items[0].quantity` and its new value. Undefined removes the field. */
export type Changes = Readonly<Record<string, unknown>>;

/** A rule on the page that involves several fields. */
export interface Rule {
  says: string;
  takes: readonly Changes[];
  /** Changes that break the rule. The refusal names one of the fields in `names`. */
  refuses: readonly { changes: Changes; names: readonly string[] }[];
  /** Only the service can check this rule, for example because the rule concerns products or countries. */
  serviceOnly?: true;
}

/** The host placeholder of an API call. `legacy` includes both the live host and the test host of the earlier interface. */
type Host = 'order' | 'ecommerce' | 'product' | 'legacy';

/** An API call: its method, path with `{parameters}`, request and response. */
export interface Call {
  name: string;
  host: Host;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Null if the call has no body. */
  request: readonly Field[] | null;
  /** Null if the page does not show the response. */
  response: readonly Field[] | null;
  rules?: readonly Rule[];
  /** Fields that this call's request or response lacks, according to the page. */
  requestLacks?: readonly string[];
  responseLacks?: readonly string[];
}

/** Reads the head of a call, such as `createOrder: order POST /v3/orders`. */
export function head(text: string): Pick<Call, 'name' | 'host' | 'method' | 'path'> {
  const [name = '', host, method, path = ''] = text.split(/:? /);
  return { name, host: host as Host, method: method as Call['method'], path };
}

/** An event payload. `style` is the field that contains the event's name. */
export interface EventKind {
  style: 'event' | 'object';
  name: string;
  /** Whether the payload has no `id`. On the page, this applies to only one payload. */
  lacksId?: true;
  fields: readonly Field[];
  /** Alternative spellings of fields. */
  alsoSpelled?: Readonly<Record<string, string>>;
}

/** Returns every field below `fields` with its path, such as `items[].previews[].url`. */
export function walk(fields: readonly Field[], prefix = ''): { path: string; field: Field }[] {
  return fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    const below = field.type === 'object[]' ? `${path}[].` : `${path}.`;
    return [{ path, field }, ...walk(field.fields ?? [], below)];
  });
}
