import type { Middleware } from 'koa';
import type { z } from 'zod';

/** One problem in a request. `reference` is a path into the request body, such as `items[0].quantity`. */
export interface RefusalDetail {
  message: string;
  reference: string;
  code: string;
}

/** Thrown by handlers to reject a request. `handleRefusals` turns it into a response. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: RefusalDetail[];
  constructor(status: number, code: string, message: string, details: RefusalDetail[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Parses `value` with `schema`. Throws a 400 that names each invalid field. */
export function parseOrRefuse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequestError(result.error.issues);
}

/** Returns a 400 for zod's issues, with one detail for each issue. */
function invalidRequestError(issues: readonly z.core.$ZodIssue[]): Refusal {
  const details = issues.map((issue) => ({
    message: issue.message,
    reference: toReference(issue.path),
    code: issue.code,
  }));
  const first = details[0];
  const message = first ? `${first.reference || 'body'}: ${first.message}` : 'Invalid request body.';
  return new Refusal(400, 'invalid_request', message, details);
}

/** Formats a path into a body in the service's notation: `items[0].itemReferenceId`. */
function toReference(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
    .join('');
}

/**
 * Creates middleware that responds to a thrown `Refusal` with `{code, message, details}`, to any other error with a plain 500, and to an
 * unknown path with 404.
 */
export function handleRefusals(): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw new Refusal(404, 'not_found', 'Resource does not exist.');
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'internal_error', 'The stand-in failed.');
      ctx.status = refusal.status;
      ctx.body = { code: refusal.code, message: refusal.message, details: refusal.details };
      if (refusal !== error) ctx.app.emit('error', error, ctx);
    }
  };
}
