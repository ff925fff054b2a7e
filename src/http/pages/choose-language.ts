import type { Context } from 'koa';
import { readParameter } from '../read-parameter.ts';
import { isGerman, translateToGerman } from '../texts/german.ts';

interface Language {
  code: 'de' | 'en';
  /** Returns one of Platen's English texts in this language. */
  say: (text: string) => string;
}

/** Chooses a page's language: the admin's language, which the admin passes in `locale`, or otherwise the browser's language. */
export function chooseLanguage(ctx: Context): Language {
  const locale = readParameter(ctx, 'locale') ?? ctx.acceptsLanguages('en', 'de');
  return typeof locale === 'string' && isGerman(locale)
    ? { code: 'de', say: (text) => translateToGerman(text).text }
    : { code: 'en', say: (text) => text };
}
