import { formatAddress } from 'localized-address-format';
import { type AddressChange, noteChange } from './address-change.ts';
import { type Held, holdMissing, holdTooLong } from './address-hold.ts';
import { cleanText, textLength } from './clean-text.ts';

// Ireland has post codes (Eircode), but people and its post do without.
const OPTIONAL = ['IE'];
const PROBE = '12345';

/**
 * The post code to send, in at most `limit` code points. The interface requires one everywhere: an address without one
 * in a country that has none, or where it is optional, gets the shop's placeholder; elsewhere it holds.
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
  noteChange(changes, 'postCode', zip, postCode, mayLack ? 'none, and this country needs none: the placeholder' : '');
  return { postCode };
}

/** By Google's address data, as the library carries it: the format of a country with post codes has a place for one. */
function usesPostCodes(country: string): boolean {
  return formatAddress({ postalCountry: country, postalCode: PROBE }).some((line) => line.includes(PROBE));
}
