import { isEmail } from '../../print/current/request-objects.ts';
import { type AddressChange, noteChange } from './address-change.ts';
import { type Held, holdFor } from './address-hold.ts';
import { cleanText } from './clean-text.ts';

/**
 * The email to send: the buyer's, or the shop's fallback if that is missing or the print service's pattern refuses it. `limit` is in UTF-16
 * units, checked before the pattern runs. Holds when neither can be sent.
 */
export function fitEmail(
  email: string | null,
  fallback: string | null,
  limit: number,
  changes: AddressChange[],
): { email: string } | Held {
  const [given, instead] = [cleanText(email), cleanText(fallback)];
  const accepts = (text: string) => text.length <= limit && isEmail(text);
  const chosen = [given, instead].find(accepts);
  if (chosen === undefined) {
    const message = 'The order has no email that the print service accepts, and the shop has no fallback email.';
    return holdFor('email_missing', 'email', message);
  }
  const why = chosen === given ? '' : 'no email that the print service accepts: the fallback email is used';
  noteChange(changes, 'email', email, chosen, why);
  return { email: chosen };
}
