import { InvalidInputError, NotFoundError, NotPossibleError, UnavailableError } from '../../errors.ts';
import type { PrintServiceError } from '../../print/errors.ts';

const NOT_FOUND = 404;

/**
 * What a person is told of a call of the print service that failed: what it does not have, what it refuses, with the field and in its own
 * words, that it does not take the key, or that it does not answer now. `what` is what was asked for, such as `the catalog posters`.
 */
export function toAnswerableError(error: PrintServiceError, what: string): Error {
  const { outcome, status, serviceMessage, field, retryAfterSeconds } = error;
  const words = serviceMessage?.trim() ?? '';
  const says = words === '' ? '' : ` It says: ${words}${/[.!?]$/.test(words) ? '' : '.'}`;
  if (outcome === 'not_found' || (outcome === 'refused' && status === NOT_FOUND))
    return new NotFoundError(`The print service does not have ${what}.${says}`);
  if (outcome === 'refused')
    return new InvalidInputError(field ?? 'body', `${field ?? what}: the print service refuses it.${says}`);
  if (outcome === 'account_refused')
    return new NotPossibleError(
      'print_key_refused',
      `The print service does not accept the shop's key: copy it again from your account there (printKey).`,
    );
  const message =
    status === 429 || error.problem === 'too_many_requests'
      ? 'The print service asks to wait, it had too many requests. Try again in a minute.'
      : 'The print service does not answer now. Try again in a few minutes.';
  return new UnavailableError('print_service_unavailable', message, { retryAfterSeconds, cause: error });
}
