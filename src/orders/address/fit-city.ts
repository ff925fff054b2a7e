import { type AddressChange, recordChange } from './address-change.ts';
import { abbreviateUntil } from './address-abbreviations.ts';
import { type HoldResult, holdMissing, holdTooLong } from './address-hold.ts';
import { cleanText, textLength } from './clean-text.ts';

/**
 * Fits the city into at most `limit` code points and abbreviates words if necessary. Holds an order whose city is missing or still too
 * long.
 */
export function fitCity(
  city: string | null,
  country: string,
  limit: number,
  changes: AddressChange[],
): { city: string } | HoldResult {
  const text = cleanText(city);
  if (text === '') return holdMissing('city');
  const words = text.split(' ');
  const fit = (candidate: readonly string[]) => {
    const shorter = candidate.join(' ');
    return textLength(shorter) <= limit ? shorter : null;
  };
  const whole = fit(words);
  const shortened = whole === null ? abbreviateUntil(words, country, fit) : { fitted: whole, abbreviated: 0 };
  if (shortened === null) return holdTooLong('city', textLength(text), limit);
  const why = `abbreviated words: ${shortened.abbreviated}, at most ${limit} characters`;
  recordChange(changes, 'city', city, shortened.fitted, whole === null ? why : '');
  return { city: shortened.fitted };
}
