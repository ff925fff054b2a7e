import type { z } from 'zod';
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
  /** Parses the text of a 2xx response. Returns null if the text is not a response to this call. */
  read: (text: string) => { value: Answer } | null;
  /** The time after which nothing is sent, as a value of performance.now(). */
  sendDeadline?: number | undefined;
}

/** Sends one call with one key. Throws a PrintServiceError. */
export type Send = <Answer>(call: PrintCall<Answer>) => Promise<Answer>;

/** Parses a response with its schema. `accept` checks whether a readable response belongs to the call. */
export function parseAs<Answer>(schema: z.ZodType<Answer>, accept: (answer: Answer) => boolean = () => true) {
  return (body: string): { value: Answer } | null => {
    const { success, data } = schema.safeParse(parseJson(body));
    return success && accept(data) ? { value: data } : null;
  };
}

/** For calls whose response the interface does not document, any 2xx status counts as success. */
export function ignoreBody(): { value: void } {
  return { value: undefined };
}
