import { PrintServiceError } from '../errors.ts';

const LENGTH = 200;
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._~-]*$/;

/**
 * An id, uid or reference as a segment of a call's path. They come from events too, which nobody signed: one that could lead to
 * another path is of nothing. Throws a PrintServiceError (`not_found`).
 */
export function toPathSegment(operation: string, id: string): string {
  if (id.length <= LENGTH && SEGMENT.test(id)) return id;
  throw new PrintServiceError({
    operation,
    outcome: 'not_found',
    reason: 'not sent, the id in its path cannot be one',
  });
}
