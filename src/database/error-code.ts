import { QueryFailedError } from 'typeorm';

/** Returns PostgreSQL's code for a failed statement, such as `40P01`, or null if the error does not come from the database. */
export function readErrorCode(error: unknown): string | null {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  const code: unknown = (cause as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : null;
}
