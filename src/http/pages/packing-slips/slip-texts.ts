const en = {
  title: 'Packing slip',
  order: 'Order',
  date: 'Date',
  tracking: 'Tracking number',
  to: 'Ship to',
  noAddress: 'Platen no longer stores the address.',
  from: 'Return address',
  item: 'Item',
  quantity: 'Quantity',
  isDivided: 'These items may be split across several packages.',
  hasMore: 'Your order will arrive in several packages.',
  gift: 'Gift message',
};

export type SlipTexts = typeof en;

const de: SlipTexts = {
  title: 'Lieferschein',
  order: 'Bestellung',
  date: 'Datum',
  tracking: 'Sendungsnummer',
  to: 'Lieferadresse',
  noAddress: 'Platen speichert die Adresse nicht mehr.',
  from: 'Rücksendeadresse',
  item: 'Artikel',
  quantity: 'Menge',
  isDivided: 'Diese Artikel sind vielleicht auf mehrere Pakete verteilt.',
  hasMore: 'Ihre Bestellung kommt in mehreren Paketen an.',
  gift: 'Grußbotschaft',
};

const LOCALE = /^(en|de)(?:-[A-Z]{2})?$/;

/**
 * Returns the texts of a slip, and the locale of its date and country. A buyer with another language gets English, and a buyer whose
 * language is unknown gets `fallback`.
 */
export function chooseSlipTexts(buyers: string | null, fallback: string): { locale: string; texts: SlipTexts } {
  const wanted = buyers ?? fallback;
  const language = LOCALE.exec(wanted)?.[1];
  return { locale: language === undefined ? 'en' : wanted, texts: language === 'de' ? de : en };
}
