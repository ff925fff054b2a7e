import type { z } from 'zod';
import { parseJson } from './parse-json.ts';

/** The hosts of the service (interface page, Host placeholders); the earlier interface has one for live orders and one for tests. */
export type PrintHost = 'order' | 'ecommerce' | 'product' | 'legacy' | 'legacyTest';
/** The earlier interface's: live, or test, whose requests cost nothing and make no real orders. */
export type LegacyHost = 'legacy' | 'legacyTest';

/**
 * What a call does, which decides how its failures are read and whether it is repeated within the call: `create` makes a new order at
 * every success and is sent once, `change` is sent once, `delete` and `read` may be repeated at once.
 */
export type CallKind = 'create' | 'change' | 'delete' | 'read';

/** One call as its resource file describes it; the client adds the host's address, the key and the timeout. */
export interface PrintCall<Answer> {
  operation: string;
  kind: CallKind;
  host: PrintHost;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Begins with a slash; ids in it are encoded. */
  path: string;
  /** What is sent, and what it must be: a value that its schema refuses is not sent. */
  body?: { schema: z.ZodType; value: unknown };
  /** Reads the text of a 2xx; null when it is no answer to this call. */
  read: (text: string) => { value: Answer } | null;
  /** A value of performance.now(): nothing is written after it. */
  sendDeadline?: number | undefined;
}

/** Sends one call with one key. Throws a PrintServiceError. */
export type Send = <Answer>(call: PrintCall<Answer>) => Promise<Answer>;

/** Reads an answer by its schema; `accept` tells whether a readable one belongs to the call. */
export function readAs<Answer>(schema: z.ZodType<Answer>, accept: (answer: Answer) => boolean = () => true) {
  return (body: string): { value: Answer } | null => {
    const { success, data } = schema.safeParse(parseJson(body));
    return success && accept(data) ? { value: data } : null;
  };
}

/** For calls whose answer the interface does not show: any 2xx is success. */
export function readNothing(): { value: void } {
  return { value: undefined };
}
