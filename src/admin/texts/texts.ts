import { de } from './de.ts';
import { en, type Texts } from './en.ts';

const LANGUAGES: Record<string, Texts> = { en, de };

/** The texts in the language of the document that is shown or rendered. */
export let texts: Texts = en;
let locale = 'en';

/** Chooses the language before a document is rendered. Rendering is synchronous, so documents cannot mix languages. */
export function chooseLanguage(wanted: string): void {
  locale = isLocale(wanted) ? wanted : 'en';
  texts = LANGUAGES[locale.slice(0, 2)] ?? en;
}

/** Returns the locale for dates and numbers. */
export function currentLocale(): string {
  return locale;
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
