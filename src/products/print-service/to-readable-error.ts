import { InvalidInputError, NotFoundError, NotPossibleError, UnavailableError } from '../../errors.ts';
import type { PrintServiceError } from '../../print/errors.ts';

const NOT_FOUND = 404;

/**
 * Converts a failed call to the print service into an error that a person can understand. The error states the cause: the object was not
 * found, the service refused the request (with its message and the field), it does not accept the key, the account has no credit, or the
 * service is unavailable. `what` names the requested object, such as `the catalog posters`.
 */
export function toReadableError(error: PrintServiceError, what: string): Error {
  const { outcome, status, serviceMessage, field, retryAfterSeconds } = error;
  const words = serviceMessage?.trim() ?? '';
  const says = words === '' ? '' : ` It says: ${words}${/[.!?]$/.test(words) ? '' : '.'}`;
  if (outcome === 'not_found' || (outcome === 'refused' && status === NOT_FOUND))
    return new NotFoundError(`The print service does not have ${what}.${says}`);
  if (outcome === 'refused')
    return new InvalidInputError(field ?? 'body', `${field ?? what}: refused by the print service.${says}`);
  if (outcome === 'account_refused')
    return new NotPossibleError(
      'print_key_refused',
      "The print service does not accept the shop's API key. Copy the key again from your print service account into the settings.",
      { change: 'printKey=KEY' },
    );
  if (error.problem === 'payment_required')
    return new NotPossibleError(
      'print_payment_refused',
      'The print service refuses payments from your account. Update its payment method there.',
    );
  const unread = error.unreadField;
  const message =
    unread !== null
      ? `The print service sends a value that Platen cannot read (${unread}).`
      : status === 429 || error.problem === 'too_many_requests'
        ? 'The print service received too many requests. Try again in a minute.'
        : 'The print service is not responding. Try again in a few minutes.';
  return new UnavailableError('print_service_unavailable', message, { retryAfterSeconds, cause: error });
}
