import { PrintServiceError } from '../errors.ts';

const MAX_LENGTH = 200;
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._~-]*$/;

/**
 * Checks an ID, UID or reference, and returns it as a path segment of a call. IDs also come from unsigned events, so an ID that could lead
 * to a different path counts as unknown. Throws a PrintServiceError (`not_found`).
 */
export function toPathSegment(operation: string, id: string): string {
  if (id.length <= MAX_LENGTH && SEGMENT.test(id)) return id;
  throw new PrintServiceError({
    operation,
    outcome: 'not_found',
    reason: 'not sent because the ID in its path is malformed',
  });
}
