import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type AddressChange, noteChange } from './address-change.ts';
import { cleanText, textLength } from './clean-text.ts';

/**
 * Formats a phone number internationally (E.123, `+49 171 1234567`) in at most `limit` code points, as the interface asks
 * (docs/rules/print-interface.md#recipient-address). Without a country code it is read as one of `country`; an extension is left off. Two
 * numbers or no valid number give none, since the field is optional and a wrong one is refused.
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
    noteChange(changes, 'phone', phone, null, 'left out: not a valid phone number');
    return {};
  }
  const why = 'written in international form';
  noteChange(changes, 'phone', phone, written, number?.ext === undefined ? why : `${why}, without its extension`);
  return { phone: written };
}
