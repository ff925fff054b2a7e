import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { remedyOf } from '../../orders/facts/hold-codes.ts';
import { deHolds } from '../../orders/facts/hold-names/german.ts';
import { enHolds } from '../../orders/facts/hold-names/english.ts';
import type { ConditionName, DueAlert } from '../decide-alert.ts';
import type { HeldOrders } from '../read-held-orders.ts';
import { toPageUrl, toShopName } from './app-links.ts';
import type { Message, Section } from './message.ts';
import { messageTexts } from './texts.ts';

/** The language of a message. `toGerman` translates texts that Platen's pages also show. */
export interface MessageLanguage {
  language: 'en' | 'de';
  toGerman: (text: string) => string;
}

/** The pages on which a merchant can resolve a condition. */
const PAGES: Record<ConditionName, string> = {
  key_refused: '/settings/connection',
  payment_refused: '/orders?state=waiting',
  signed_out: '',
  server_refused: '',
  fenced_off: '',
  other_app: '',
  store_silent: '',
  print_silent: '/settings/connection',
};

/** Builds the message about a shop's conditions and orders on hold. It names orders, but contains no data of a buyer. */
export function buildAlert(
  app: Pick<App, 'config'>,
  shop: Shop,
  { started, ended }: DueAlert,
  held: HeldOrders,
  { language, toGerman }: MessageLanguage,
): Message {
  const texts = messageTexts[language];
  const link = (label: string, path: string) => ({ label, url: toPageUrl(app, shop, path) });
  const names: Readonly<Record<string, string | undefined>> = language === 'de' ? deHolds : enHolds;
  const remedy = (code: string): string => (language === 'de' ? toGerman(remedyOf(code)) : remedyOf(code));
  const conditions = started.map((name): Section => {
    const { started: title, text } = texts.conditions[name];
    return { title, texts: [text], links: [link(texts.open, PAGES[name])] };
  });
  const reasons = held.reasons.map(({ code, orders, first }): Section => {
    const links = first.map(({ orderId, name }) =>
      link(name, `/orders/${orderId.slice(orderId.lastIndexOf('/') + 1)}`),
    );
    const others = orders - first.length;
    const all = `/orders?state=held&hold=${code}`;
    return {
      title: texts.heldFor(names[code] ?? code, orders),
      texts: [remedy(code)],
      links: [
        ...links,
        ...(others > 0 ? [link(first.length === 0 ? texts.all(orders) : texts.others(others), all)] : []),
      ],
    };
  });
  const summary: Section = { title: texts.held(held.total), links: [link(texts.showHeld, '/orders?state=held')] };
  const over: Section = { title: texts.ended, texts: ended.map((name) => texts.conditions[name].ended) };
  const [first] = started;
  const [firstEnded] = ended;
  const subject =
    first !== undefined
      ? texts.conditions[first].started
      : held.total > 0 || firstEnded === undefined
        ? texts.heldSubject(held.total)
        : texts.conditions[firstEnded].ended.replace(/\.$/, '');
  return {
    language,
    subject: texts.subjectOf(toShopName(shop), subject),
    sections: [...conditions, ...(held.total > 0 ? [summary, ...reasons] : []), ...(ended.length > 0 ? [over] : [])],
    footer: { text: texts.alertFooter, link: link(texts.settings, '/settings/alerts') },
  };
}
