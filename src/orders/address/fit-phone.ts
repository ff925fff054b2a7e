import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type AddressChange, noteChange } from './address-change.ts';
import { cleanText, textLength } from './clean-text.ts';

/**
 * Writes a phone number in the international form of E.123 (`+49 171 1234567`), at most `limit` code points, as the
 * interface page asks for; a number without a country code is read as one of `country`. An extension is left off; two
 * numbers in one field, or no valid number, give none, since the field is optional and a wrong one is refused.
 */
export function fitPhone(
  phone: string | null,
  country: string,
  limit: number,
  changes: AddressChange[],
): { phone?: string } {
  const number = parsePhoneNumberFromString(cleanText(phone), isSupportedCountry(country) ? country : undefined);
  const written = number?.isValid()
    ? number.format('INTERNATIONAL', { formatExtension: (withoutExtension) => withoutExtension })
    : null;
  if (written === null || textLength(written) > limit) {
    noteChange(changes, 'phone', phone, null, 'left out: not one valid phone number');
    return {};
  }
  const why = 'written in the international form';
  noteChange(changes, 'phone', phone, written, number?.ext === undefined ? why : `${why}, without its extension`);
  return { phone: written };
}
