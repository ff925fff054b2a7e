import { formatAddress } from 'localized-address-format';
import { type AddressChange, noteChange } from './address-change.ts';
import { type Held, holdMissing, holdTooLong } from './address-hold.ts';
import { cleanText, textLength } from './clean-text.ts';

// Ireland has postal codes (Eircode), but people and the postal service often leave them out.
const OPTIONAL = ['IE'];
const PROBE = '12345';

/**
 * The postal code in at most `limit` code points. The interface always requires one: an address without one gets the shop's placeholder
 * if its country has no postal codes or they are optional; elsewhere it holds.
 */
export function fitPostCode(
  zip: string | null,
  country: string,
  placeholder: string,
  limit: number,
  changes: AddressChange[],
): { postCode: string } | Held {
  const given = cleanText(zip);
  const mayLack = given === '' && (OPTIONAL.includes(country) || !usesPostCodes(country));
  const postCode = mayLack ? cleanText(placeholder) : given;
  if (postCode === '') return holdMissing('postCode');
  if (textLength(postCode) > limit) return holdTooLong('postCode', textLength(postCode), limit);
  noteChange(
    changes,
    'postCode',
    zip,
    postCode,
    mayLack ? 'not required in this country: the placeholder is used' : '',
  );
  return { postCode };
}

/** By Google's address data in the library: the format of a country with postal codes has a place for one. */
function usesPostCodes(country: string): boolean {
  return formatAddress({ postalCountry: country, postalCode: PROBE }).some((line) => line.includes(PROBE));
}
