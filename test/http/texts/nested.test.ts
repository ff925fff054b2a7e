import { expect, test } from 'vitest';
import { areas, translateToGerman } from '../../../src/http/texts/german.ts';
import { fill } from './fill.ts';

const entries = Object.values(areas).flatMap((catalog) => Object.entries(catalog));
/** `Held: {why:text}` contains a whole message. `{reference} is finished: {why:text}.` contains a part of a sentence. */
const CONTAINS_MESSAGE = /^(?:.*: \{(\w+):text\}|\{(says):text\} .*)$/;
const CONTAINS_REASON = /\{(why|lack|says|doing):(?:text|list)\}/;
/** Any other text could precede this refusal of a field. */
const NEVER_NESTED = '{what:text}: refused by the print service.';

const messages = entries.filter(([english]) => /^[A-Z{].*[.)]$/.test(english) && english !== NEVER_NESTED);
const reasons = entries.filter(([english]) => /^(?![A-Z]).*[^.]$/.test(english));
const aroundMessages = entries.filter(([english]) => CONTAINS_MESSAGE.test(english));
const aroundReasons = entries.filter(([english]) => CONTAINS_REASON.test(english) && !CONTAINS_MESSAGE.test(english));

test.each([
  ['message', aroundMessages, CONTAINS_MESSAGE, messages],
  ['reason', aroundReasons, CONTAINS_REASON, reasons],
] as const)('each %s is translated inside each text that contains one', (_, around, pattern, inside) => {
  expect([around.length > 8, inside.length > 150]).toEqual([true, true]);
  for (const [english, german] of around) {
    const [, ...names] = pattern.exec(english) ?? [];
    const name = names.find((one) => one !== undefined) ?? '';
    const wrong = inside.flatMap(([inner, translated]) => {
      if (inner === english) return [];
      const filled = fill(english, 0, { [name]: fill(inner, 0) });
      const wanted = fill(german, 1, { [name]: fill(translated, 1) });
      const { text, untranslated } = translateToGerman(filled);
      return text === wanted && untranslated.length === 0 ? [] : [{ filled, wanted, text, untranslated }];
    });
    expect(wrong).toEqual([]);
  }
});

test.each([
  ['Nothing to do: The order was canceled in the store.', 'Nichts zu tun: Die Bestellung wurde im Shop storniert.'],
  [
    "pl1-7 is held: This print order could not be canceled: it is too late. Cancel it in the print service's dashboard.",
    'pl1-7 ist angehalten: Dieser Druckauftrag konnte nicht storniert werden: es ist zu spät. Stornieren Sie den Auftrag im Dashboard des Druckdienstes.',
  ],
  [
    'The print service refused the order with status 400. It says: No such code. Platen has been trying since 2026-11-21 08:00 UTC and keeps trying.',
    'Der Druckdienst hat den Auftrag mit dem Status 400 abgelehnt. Die Meldung lautet: No such code. Platen versucht es seit 2026-11-21 08:00 UTC und versucht es weiter.',
  ],
  ['Shop EN #1001 was canceled in the store.', 'Shop EN #1001 wurde im Shop storniert.'],
  ['Being canceled: pl1-7, pl1-8.', 'Wird storniert: pl1-7, pl1-8.'],
  [
    'pl1-7: DHL Paket and more for 5.04 USD, the cheapest method.',
    'pl1-7: DHL Paket and more für 5,04\u{A0}$, günstigste Versandart.',
  ],
])('no placeholder matches words of the surrounding message: %s', (english, text) => {
  expect(translateToGerman(english)).toMatchObject({ text, untranslated: [] });
});
