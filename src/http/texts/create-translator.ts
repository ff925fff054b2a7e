import { fillTemplate, findSentenceEnds, matchTemplate, parseTemplate, type Template } from './template.ts';

/** English templates with their translations (`template.ts`). */
export type MessageCatalog = Readonly<Record<string, string>>;

export interface Translation {
  text: string;
  /** The parts that stay in English, because the catalog does not contain them. */
  untranslated: string[];
  /** The values that stay as they are. */
  kept: string[];
}

interface Entry {
  english: Template;
  translated: Template;
}

/** Longer texts stay in English. All of Platen's own texts are shorter. */
const MAX_TEXT_LENGTH = 10_000;
const MAX_SENTENCES = 24;
/** The separators between the texts of a list, with their translations. */
const SEPARATORS = new Map([
  ['; ', '; '],
  [', ', ', '],
  [' and ', ' und '],
  [' or ', ' oder '],
]);

/**
 * Returns a function that translates a text with a catalog. A text consists of one or more sentences, each of which may be an entry. If
 * several entries match, uses the one that leaves the least text in English. If several leave equally little, uses the one with the
 * shortest values, because longer values contain words that another entry translates.
 */
export function createTranslator(catalog: MessageCatalog): (text: string) => Translation {
  const entries = Object.entries(catalog)
    .map(([english, translated]) => ({ english: parseTemplate(english), translated: parseTemplate(translated) }))
    .toSorted((a, b) => countFixedCharacters(b) - countFixedCharacters(a));
  const find = indexByWord(entries);
  return (text) => (text.length > MAX_TEXT_LENGTH ? leaveUntranslated(text) : translateText(text, find, new Map()));
}

type Find = (text: string) => Iterable<Entry>;
/** The translations of a text's parts, so that no part is translated twice. */
type KnownTranslations = Map<string, Translation>;

function translateText(text: string, find: Find, known: KnownTranslations): Translation {
  const before = known.get(text);
  if (before) return before;
  const whole = translateRun(text, find, known);
  const translation = isPerfect(whole) ? whole : chooseBetter(whole, translateSentences(text, find, known));
  known.set(text, translation);
  return translation;
}

/** Translates sentence by sentence. Several sentences together may be one entry. */
function translateSentences(text: string, find: Find, known: KnownTranslations): Translation {
  const ends = findSentenceEnds(text);
  if (ends.length === 0 || ends.length > MAX_SENTENCES) return leaveUntranslated(text);
  const starts = [0, ...ends.map((end) => end + 1)];
  const stops = [...ends, text.length];
  // The loop runs from the last sentence to the first. `rest` contains, for each start, the translation of all sentences from there on.
  const rest: Translation[] = [];
  for (let first = starts.length - 1; first >= 0; first -= 1) {
    let best: Translation | null = null;
    for (let last = stops.length - 1; last >= first; last -= 1) {
      if (last - first === starts.length - 1) continue;
      const run = translateRun(text.slice(starts[first], stops[last]), find, known);
      const after = rest[last + 1];
      best = chooseBetter(best, after ? joinAll([run, after], ' ') : run);
    }
    rest[first] = best ?? leaveUntranslated(text);
  }
  return rest[0] ?? leaveUntranslated(text);
}

/** Translates one or more sentences as one entry. */
function translateRun(text: string, find: Find, known: KnownTranslations): Translation {
  let best: Translation | null = null;
  for (const entry of find(text)) {
    const translation = translateEntry(entry, text, find, known);
    if (translation === null) continue;
    best = chooseBetter(best, translation);
    if (isPerfect(best)) break;
  }
  return best ?? leaveUntranslated(text);
}

function translateEntry(
  { english, translated }: Entry,
  text: string,
  find: Find,
  known: KnownTranslations,
): Translation | null {
  const values = matchTemplate(english, text);
  if (values === null) return null;
  const parts = values.map(({ name, kind, value }) => {
    if (kind === 'text') return { name, ...translateText(value, find, known) };
    if (kind === 'list') return { name, ...translateList(value, find, known) };
    const text = kind === 'names' ? joinNames(value) : kind === 'money' ? formatMoney(value) : value;
    return { name, text, untranslated: [], kept: [value] };
  });
  return {
    text: fillTemplate(translated, new Map(parts.map((part) => [part.name, part.text]))),
    untranslated: parts.flatMap(({ untranslated }) => untranslated),
    kept: parts.flatMap(({ kept }) => kept),
  };
}

function translateList(text: string, find: Find, known: KnownTranslations): Translation {
  const whole = translateText(text, find, known);
  const separator = [...SEPARATORS.keys()].find((one) => text.includes(one));
  if (isPerfect(whole) || separator === undefined) return whole;
  const parts = text.split(separator).map((part) => translateList(part, find, known));
  return chooseBetter(whole, joinAll(parts, SEPARATORS.get(separator)));
}

/** Translates only the separators between the names. */
function joinNames(text: string): string {
  return [...SEPARATORS].reduce((joined, [separator, translated]) => joined.replaceAll(separator, translated), text);
}

function leaveUntranslated(text: string): Translation {
  return { text, untranslated: [text], kept: [] };
}

/** Whether no other translation can be better. */
function isPerfect({ untranslated, kept }: Translation): boolean {
  return untranslated.length === 0 && kept.length === 0;
}

/** Chooses the translation that leaves less in English, or else the one with the shorter values. */
function chooseBetter(one: Translation | null, other: Translation): Translation {
  if (one === null) return other;
  const difference =
    lengthOf(one.untranslated) - lengthOf(other.untranslated) || lengthOf(one.kept) - lengthOf(other.kept);
  return difference <= 0 ? one : other;
}

function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function joinAll(parts: readonly Translation[], separator: string | undefined): Translation {
  return {
    text: parts.map(({ text }) => text).join(separator),
    untranslated: parts.flatMap(({ untranslated }) => untranslated),
    kept: parts.flatMap(({ kept }) => kept),
  };
}

/** Formats an amount with its currency as the pages do. An amount that is not a decimal number stays as it is. */
function formatMoney(text: string): string {
  const [amount, currency] = text.split(' ');
  if (!/^\d+(\.\d+)? [A-Z]{3}$/.test(text)) return text;
  return new Intl.NumberFormat('de', { style: 'currency', currency }).format(Number(amount));
}

function countFixedCharacters({ english }: Entry): number {
  return english.fixed.join('').length;
}

/** Returns a function that finds the entries that may match a text, in the order of `entries`. Indexes each entry by its rarest word. */
function indexByWord(entries: readonly Entry[]): Find {
  const counts = new Map<string, number>();
  for (const word of entries.flatMap(listWords)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const byWord = new Map<string, number[]>();
  for (const [place, entry] of entries.entries()) {
    const [word = ''] = listWords(entry).toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
    byWord.set(word, [...(byWord.get(word) ?? []), place]);
  }
  return (text) => {
    const places = new Set(['', ...text.split(' ')].flatMap((word) => byWord.get(word) ?? []));
    return [...places].toSorted((a, b) => a - b).flatMap((place) => entries[place] ?? []);
  };
}

/** Returns the complete words that every text matching an entry contains. */
function listWords({ english: { fixed } }: Entry): string[] {
  return fixed.flatMap((part, index) => {
    const words = part.split(' ');
    // The first and the last word of a part may continue in a placeholder.
    return words.slice(index === 0 ? 0 : 1, index === fixed.length - 1 ? undefined : -1).filter((word) => word !== '');
  });
}
