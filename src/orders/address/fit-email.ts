import { isEmail } from '../../print/current/request-objects.ts';
import { type AddressChange, recordChange } from './address-change.ts';
import { type HoldResult, toHoldResult } from './address-hold.ts';
import { cleanText } from './clean-text.ts';

/**
 * Chooses the email to send: the buyer's, or the shop's fallback email if the buyer's is missing or does not match the print service's
 * pattern. `limit` is in UTF-16 code units and is checked before the pattern runs. Holds the order if neither email can be sent.
 */
export function fitEmail(
  email: string | null,
  fallback: string | null,
  limit: number,
  changes: AddressChange[],
): { email: string } | HoldResult {
  const [given, instead] = [cleanText(email), cleanText(fallback)];
  const accepts = (text: string) => text.length <= limit && isEmail(text);
  const chosen = [given, instead].find(accepts);
  if (chosen === undefined) {
    const message = 'The order has no email that the print service accepts, and the shop has no valid fallback email.';
    return toHoldResult('email_missing', 'email', message);
  }
  const why = chosen === given ? '' : 'no email that the print service accepts: the fallback email is used';
  recordChange(changes, 'email', email, chosen, why);
  return { email: chosen };
}
