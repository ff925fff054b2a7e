import type { Middleware } from 'koa';
import { UnavailableError } from '../../errors.ts';

/**
 * Keeps a process with the wrong ENCRYPTION_KEY from answering with errors, and from storing what no other process can read. The
 * operator finds the reason at `/readyz`; a visitor is told only where it is.
 */
export function refuseWithoutKey(keyProblem: string | null): Middleware {
  return async (_ctx, next) => {
    if (keyProblem === null) return next();
    const message = 'Platen cannot read its data. Its operator finds the reason at /readyz and in the log.';
    throw new UnavailableError('wrong_encryption_key', message, { retryAfterSeconds: null, cause: null });
  };
}
