import type { MessageTexts } from './message-texts.ts';
import { deTexts } from './texts-de.ts';
import { enTexts } from './texts-en.ts';

/** The texts of messages by language. */
export const messageTexts: Record<'en' | 'de', MessageTexts> = { en: enTexts, de: deTexts };
