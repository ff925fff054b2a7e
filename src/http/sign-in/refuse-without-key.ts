import type { Middleware } from 'koa';
import { UnavailableError } from '../../errors.ts';

/**
 * Rejects requests if ENCRYPTION_KEY is wrong. Otherwise, every request would fail, or the process would store data that no other process
 * can read. The response contains no details, only where the operator can find them.
 */
export function refuseWithoutKey(keyProblem: string | null): Middleware {
  return async (_ctx, next) => {
    if (keyProblem === null) return next();
    const message = 'Platen cannot read its data. Platen’s operator can find the reason at /readyz and in the log.';
    throw new UnavailableError('wrong_encryption_key', message, { retryAfterSeconds: null, cause: null });
  };
}
