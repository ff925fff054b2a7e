import { actions } from './de/actions.ts';
import { changes } from './de/changes.ts';
import { following } from './de/following.ts';
import { links } from './de/links.ts';
import { outcomes } from './de/outcomes.ts';
import { pages } from './de/pages.ts';
import { plan } from './de/plan.ts';
import { products } from './de/products.ts';
import { remedies } from './de/remedies.ts';
import { requests } from './de/requests.ts';
import { sending } from './de/sending.ts';
import { settings } from './de/settings.ts';
import { createTranslator, type TranslatedText } from './create-translator.ts';

/** The German translations by area. No two areas translate the same text. */
export const areas = {
  actions,
  changes,
  following,
  links,
  outcomes,
  pages,
  plan,
  products,
  remedies,
  requests,
  sending,
  settings,
};

let translate: ((text: string) => TranslatedText) | null = null;

/** Translates one of Platen's texts. A part that the catalog does not contain stays in English. */
export function translateToGerman(text: string): TranslatedText {
  translate ??= createTranslator(Object.assign({}, ...Object.values(areas), listCountries()));
  return translate(text);
}

/** Whether a locale such as `de-CH` is German. */
export function isGerman(locale: string): boolean {
  return /^de(?![a-z])/i.test(locale);
}

/** Returns the German name of each country by its English name, because messages contain English country names. */
function listCountries(): Record<string, string> {
  const [english, german] = ['en', 'de'].map((one) => new Intl.DisplayNames(one, { type: 'region', fallback: 'none' }));
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return Object.fromEntries(
    codes.flatMap((code) => {
      const names = [english?.of(code), german?.of(code)] as const;
      return names[0] === undefined || names[1] === undefined ? [] : [names];
    }),
  );
}
