import { fillTemplate, parseTemplate, type Template } from '../../../src/http/texts/template.ts';

/** For each kind of placeholder, a value with its translation. */
const SAMPLES: Record<Template['placeholders'][number]['kind'], [english: string, german: string]> = {
  value: ['#1001', '#1001'],
  field: ['items[0].sku', 'items[0].sku'],
  number: ['12.50', '12.50'],
  money: ['5.04 USD', '5,04\u{A0}$'],
  names: ['#1001 or #1002', '#1001 oder #1002'],
  words: ['Not now. Ask Jane', 'Not now. Ask Jane'],
  text: ['the order is canceled', 'die Bestellung ist storniert'],
  list: ['nothing is offered; the order is canceled', 'nichts wird angeboten; die Bestellung ist storniert'],
};

/** Fills the placeholders of a template in English (0) or German (1), with the samples or with `given`. */
export function fill(source: string, language: 0 | 1, given: Record<string, string> = {}): string {
  const template = parseTemplate(source);
  const values = template.placeholders.map(({ name, kind }) => [name, given[name] ?? SAMPLES[kind][language]] as const);
  return fillTemplate(template, new Map(values));
}
