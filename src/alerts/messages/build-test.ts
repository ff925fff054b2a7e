import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { toPageUrl, toShopName } from './app-links.ts';
import type { Message } from './message.ts';
import { messageTexts } from './texts.ts';

/** Builds the message with which a merchant checks that alerts arrive. */
export function buildTest(app: Pick<App, 'config'>, shop: Shop, language: Message['language']): Message {
  const texts = messageTexts[language];
  const { subject, title, text } = texts.test;
  return {
    language,
    subject: texts.subjectOf(toShopName(shop), subject),
    sections: [{ title, texts: [text], links: [{ label: texts.open, url: toPageUrl(app, shop, '') }] }],
    footer: {
      text: texts.alertFooter,
      link: { label: texts.settings, url: toPageUrl(app, shop, '/settings/alerts') },
    },
  };
}
