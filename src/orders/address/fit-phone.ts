import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type AddressChange, recordChange } from './address-change.ts';
import { cleanText, textLength } from './clean-text.ts';

/**
 * Formats a phone number in the international format that the print interface requires (E.123, `+49 171 1234567`;
 * docs/rules/print-interface.md#recipient-address), without an extension. Treats a number without a country code as a number in `country`.
 * Omits the phone if the field contains two numbers or no valid number, or if the formatted number has more than `limit` code points. The
 * phone is optional, and the service refuses an invalid number.
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
    recordChange(changes, 'phone', phone, null, 'left out: not a valid phone number');
    return {};
  }
  const why = 'written in international form';
  recordChange(changes, 'phone', phone, written, number?.ext === undefined ? why : `${why}, without its extension`);
  return { phone: written };
}
