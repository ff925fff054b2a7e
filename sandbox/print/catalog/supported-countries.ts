import { isSupportedCountry } from '../production/facilities.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

/** Every country that any facility ships to (ISO 3166-1 alpha-2). */
export const allCountries: readonly string[] = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter(isSupportedCountry);
