import { withinTime, type Clock } from '../clock.ts';
import { PlatenError } from '../errors.ts';

/**
 * Settles with the result of the work. Rejects with PlatenError `too_slow` after `milliseconds`. The work then continues and may still
 * succeed.
 */
export async function withTimeLimit<T>(clock: Clock, work: Promise<T>, milliseconds: number): Promise<T> {
  const late = (): never => {
    throw new PlatenError('too_slow', 'The operation took too long.');
  };
  return withinTime(clock, { work, milliseconds, late });
}
