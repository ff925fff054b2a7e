import { formatAddress } from 'localized-address-format';
import { type AddressChange, recordChange } from './address-change.ts';
import { type HoldResult, holdMissing, holdTooLong } from './address-hold.ts';
import { cleanText, textLength } from './clean-text.ts';

// Ireland has postal codes (Eircode), but people and the postal service often omit them.
const OPTIONAL = ['IE'];
const PROBE = '12345';

/**
 * Returns the postal code to send. The print interface always requires one, so the shop's placeholder replaces a missing code in countries
 * where postal codes do not exist or are optional. In other countries, a missing code holds the order. A code of more than `limit` code
 * points always holds the order.
 */
export function fitPostCode(
  zip: string | null,
  country: string,
  placeholder: string,
  limit: number,
  changes: AddressChange[],
): { postCode: string } | HoldResult {
  const given = cleanText(zip);
  const canBeMissing = given === '' && (OPTIONAL.includes(country) || !hasPostCodes(country));
  const postCode = canBeMissing ? cleanText(placeholder) : given;
  if (postCode === '') return holdMissing('postCode');
  if (textLength(postCode) > limit) return holdTooLong('postCode', textLength(postCode), limit);
  recordChange(
    changes,
    'postCode',
    zip,
    postCode,
    canBeMissing ? 'not required in this country: the placeholder is used' : '',
  );
  return { postCode };
}

/** Returns whether the country's address format includes a postal code, according to Google's address data in the library. */
function hasPostCodes(country: string): boolean {
  return formatAddress({ postalCountry: country, postalCode: PROBE }).some((line) => line.includes(PROBE));
}
