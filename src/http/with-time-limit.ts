import { PlatenError } from '../errors.ts';

/**
 * Settles with the result of the work. Rejects with PlatenError `too_slow` after `milliseconds`. The work then continues and may still
 * succeed.
 */
export async function withTimeLimit<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new PlatenError('too_slow', 'The operation took too long.')),
    milliseconds,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
