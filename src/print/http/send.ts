import { z } from 'zod';
import { parseJson } from './parse-json.ts';

/** The service's hosts (docs/rules/print-interface.md#hosts). The earlier interfaces have one host for live orders and one for tests. */
export type PrintHost = 'order' | 'ecommerce' | 'product' | 'legacy' | 'legacyTest';
/** The earlier interfaces' hosts: live, or test, where requests cost nothing and create no real orders. */
export type LegacyHost = 'legacy' | 'legacyTest';

/**
 * The kind of a call determines how its failures are interpreted, and whether the client may retry the request immediately. A `create` is
 * sent only once, because each successful request creates a new order. A `change` is also sent once. A `delete` or `read` may be retried.
 */
export type CallKind = 'create' | 'change' | 'delete' | 'read';

/** A description of one call. The client adds the host's address, the key and the timeout. */
export interface PrintCall<Answer> {
  operation: string;
  kind: CallKind;
  host: PrintHost;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path of the call, which starts with a slash. Its IDs are safe path segments. */
  path: string;
  /** The body and its schema. A value that the schema rejects is not sent. */
  body?: { schema: z.ZodType; value: unknown };
  /** Parses the text of a 2xx response. */
  read: (text: string) => Reading<Answer>;
  /** Whether the service charges for what a `create` makes. The service may make an order first and refuse its payment later. */
  isCharged?: boolean;
  /** The time after which nothing is sent, as a value of `clock.ticks()`. */
  sendDeadline?: number | undefined;
}

/** A parsed response. If the text is not a response to the call, `field` is the path of the first invalid field, if there is one. */
export type Reading<Answer> = { value: Answer } | { field: string | null };

/** Sends one call with one key. Throws a PrintServiceError. */
export type Send = <Answer>(call: PrintCall<Answer>) => Promise<Answer>;

/** Parses a response with its schema. `accept` checks whether a readable response belongs to the call. */
export function parseAs<Answer>(schema: z.ZodType<Answer>, accept: (answer: Answer) => boolean = () => true) {
  return (body: string): Reading<Answer> => parse(parseJson(body), schema, accept);
}

/**
 * Parses the response to a reading of an order as `parseAs` does, but refuses it if its schema replaced a value of a field in
 * `FOLLOWED_FIELDS` by nothing. Platen would otherwise act as if the service had not sent the value, for example as if no item had failed.
 */
export function parseStatusAs<Answer>(schema: z.ZodType<Answer>, accept: (answer: Answer) => boolean = () => true) {
  return (body: string): Reading<Answer> => {
    const given = parseJson(body);
    const reading = parse(given, schema, accept);
    const lost = 'value' in reading ? findLostField(given, reading.value) : null;
    return lost === null ? reading : { field: lost };
  };
}

/** A record of a search. `lostField` is the path of its first field in `FOLLOWED_FIELDS` that is not readable, if there is one. */
export type SearchRecord<Found> = Found & { lostField: string | null };

/**
 * Parses a page of a search. An unreadable field of a record does not refuse the page, because the other records belong to other orders.
 */
export function parsePageAs<Found extends object>(schema: z.ZodType<{ orders: Found[] }>) {
  return (body: string): Reading<SearchRecord<Found>[]> => {
    const given = parseJson(body);
    const reading = parse(given, schema, () => true);
    if (!('value' in reading)) return reading;
    const { orders } = given as { orders: unknown[] };
    return {
      value: reading.value.orders.map((order, at) => ({ ...order, lostField: findLostField(orders[at], order) })),
    };
  };
}

function parse<Answer>(
  given: unknown,
  schema: z.ZodType<Answer>,
  accept: (answer: Answer) => boolean,
): Reading<Answer> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return accept(data) ? { value: data } : { field: null };
  const [issue] = error.issues;
  return { field: issue === undefined ? null : z.core.toDotPath(issue.path) || null };
}

/** The fields of an order, its items and its packages from which Platen follows the order. */
const FOLLOWED_FIELDS = new Set([
  'fulfillmentStatus',
  'financialStatus',
  'orderType',
  'orderReferenceId',
  'connectedOrderIds',
  'items',
  'quantity',
  'shipment',
  'packages',
  'trackingCode',
  'orderItemIds',
  'orderItem',
  'orderItems',
  'status',
]);

/** Returns the path of the first followed field whose value was given but not read. */
function findLostField(given: unknown, read: unknown, path: readonly PropertyKey[] = []): string | null {
  if (isNothing(read)) return isNothing(given) ? null : z.core.toDotPath([...path]);
  if (typeof given !== 'object' || given === null || typeof read !== 'object' || read === null) return null;
  for (const [name, value] of Object.entries(read)) {
    const isFollowed = Array.isArray(read) || FOLLOWED_FIELDS.has(name);
    const key = Array.isArray(read) ? Number(name) : name;
    const lost = isFollowed ? findLostField((given as Record<string, unknown>)[name], value, [...path, key]) : null;
    if (lost !== null) return lost;
  }
  return null;
}

/** Returns whether a value of any type is empty. Some services send `''` or `false` in place of a missing object or list. */
function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === false;
}

/** For calls whose response the interface does not document, any 2xx status counts as success. */
export function ignoreBody(): { value: void } {
  return { value: undefined };
}
