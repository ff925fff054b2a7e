import { fillTemplate, findSentenceEnds, matchTemplate, parseTemplate, type Template } from './template.ts';

/** English templates with their translations (`template.ts`). */
export type Catalogue = Readonly<Record<string, string>>;

export interface Translation {
  text: string;
  /** The parts that stay in English, because the catalogue does not contain them. */
  untranslated: string[];
}

interface Entry {
  english: Template;
  translated: Template;
}

/** Longer texts stay in English. All of Platen's own texts are shorter. */
const LONGEST_TEXT = 10_000;
const MOST_SENTENCES = 24;
/** The separators between the texts of a list, with their translations. */
const SEPARATORS = new Map([
  ['; ', '; '],
  [', ', ', '],
  [' and ', ' und '],
  [' or ', ' oder '],
]);

/**
 * Returns the function that translates a text by a catalogue. A text consists of one or more sentences, each of which may be an entry. If
 * several entries match, uses the one that leaves the least text in English. If these are equal, uses the one with the most fixed text.
 */
export function openCatalogue(catalogue: Catalogue): (text: string) => Translation {
  const entries = Object.entries(catalogue)
    .map(([english, translated]) => ({ english: parseTemplate(english), translated: parseTemplate(translated) }))
    .toSorted((a, b) => lengthOfFixed(b) - lengthOfFixed(a));
  const find = indexByWord(entries);
  return (text) => (text.length > LONGEST_TEXT ? keep(text) : translateText(text, find, new Map()));
}

type Find = (text: string) => Iterable<Entry>;
/** The translations of a text's parts, so that no part is translated twice. */
type Known = Map<string, Translation>;

function translateText(text: string, find: Find, known: Known): Translation {
  const before = known.get(text);
  if (before) return before;
  const whole = translateRun(text, find, known);
  const translation = isComplete(whole) ? whole : chooseBetter(whole, translateSentences(text, find, known));
  known.set(text, translation);
  return translation;
}

/** Translates sentence by sentence. Several sentences together may be one entry. */
function translateSentences(text: string, find: Find, known: Known): Translation {
  const ends = findSentenceEnds(text);
  if (ends.length === 0 || ends.length > MOST_SENTENCES) return keep(text);
  const starts = [0, ...ends.map((end) => end + 1)];
  const stops = [...ends, text.length];
  // The loop runs from the last sentence to the first. `rest` contains, for each start, the translation of all sentences from there on.
  const rest: Translation[] = [];
  for (let first = starts.length - 1; first >= 0; first -= 1) {
    let best: Translation | null = null;
    for (let last = stops.length - 1; last >= first; last -= 1) {
      if (last - first === starts.length - 1) continue;
      const run = translateRun(text.slice(starts[first], stops[last]), find, known);
      best = chooseBetter(best, joinSentences(run, rest[last + 1]));
    }
    rest[first] = best ?? keep(text);
  }
  return rest[0] ?? keep(text);
}

/** Translates one or more sentences as one entry. */
function translateRun(text: string, find: Find, known: Known): Translation {
  let best: Translation | null = null;
  for (const entry of find(text)) {
    const translation = translateEntry(entry, text, find, known);
    if (translation === null) continue;
    best = chooseBetter(best, translation);
    if (isComplete(best)) break;
  }
  return best ?? keep(text);
}

function translateEntry({ english, translated }: Entry, text: string, find: Find, known: Known): Translation | null {
  const values = matchTemplate(english, text);
  if (values === null) return null;
  const parts = values.map(({ name, kind, value }) => {
    if (kind === 'text') return { name, ...translateText(value, find, known) };
    if (kind === 'list') return { name, ...translateList(value, find, known) };
    if (kind === 'names') return { name, text: joinNames(value), untranslated: [] };
    return { name, text: value, untranslated: [] };
  });
  return {
    text: fillTemplate(translated, new Map(parts.map((part) => [part.name, part.text]))),
    untranslated: parts.flatMap(({ untranslated }) => untranslated),
  };
}

function translateList(text: string, find: Find, known: Known): Translation {
  const whole = translateText(text, find, known);
  const separator = [...SEPARATORS.keys()].find((one) => text.includes(one));
  if (isComplete(whole) || separator === undefined) return whole;
  const parts = text.split(separator).map((part) => translateList(part, find, known));
  return {
    text: parts.map((part) => part.text).join(SEPARATORS.get(separator)),
    untranslated: parts.flatMap(({ untranslated }) => untranslated),
  };
}

/** Translates only the separators between the names. */
function joinNames(text: string): string {
  return [...SEPARATORS].reduce((joined, [separator, translated]) => joined.replaceAll(separator, translated), text);
}

function keep(text: string): Translation {
  return { text, untranslated: [text] };
}

function isComplete({ untranslated }: Translation): boolean {
  return untranslated.length === 0;
}

/** Chooses the translation that leaves less in English. */
function chooseBetter(one: Translation | null, other: Translation): Translation {
  return one !== null && lengthOfRest(one) <= lengthOfRest(other) ? one : other;
}

function lengthOfRest({ untranslated }: Translation): number {
  return untranslated.reduce((sum, part) => sum + part.length, 0);
}

function joinSentences(one: Translation, other: Translation | undefined): Translation {
  if (other === undefined) return one;
  return { text: `${one.text} ${other.text}`, untranslated: [...one.untranslated, ...other.untranslated] };
}

function lengthOfFixed({ english }: Entry): number {
  return english.fixed.join('').length;
}

/** Returns a function that finds the entries that may match a text, in the order of `entries`. Indexes each entry by its rarest word. */
function indexByWord(entries: readonly Entry[]): Find {
  const counts = new Map<string, number>();
  for (const word of entries.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const byWord = new Map<string, number[]>();
  for (const [place, entry] of entries.entries()) {
    const [word = ''] = wordsOf(entry).toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
    byWord.set(word, [...(byWord.get(word) ?? []), place]);
  }
  return (text) => {
    const places = new Set(['', ...text.split(' ')].flatMap((word) => byWord.get(word) ?? []));
    return [...places].toSorted((a, b) => a - b).flatMap((place) => entries[place] ?? []);
  };
}

/** Returns the complete words that every text matching an entry contains. */
function wordsOf({ english: { fixed } }: Entry): string[] {
  return fixed.flatMap((part, index) => {
    const words = part.split(' ');
    // The first and the last word of a part may continue in a placeholder.
    return words.slice(index === 0 ? 0 : 1, index === fixed.length - 1 ? undefined : -1).filter((word) => word !== '');
  });
}
