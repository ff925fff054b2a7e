import { fillTemplate, findSentenceEnds, matchTemplate, parseTemplate, type Template } from './template.ts';

/** English templates with their translations (`template.ts`). */
export type MessageCatalog = Readonly<Record<string, string>>;

interface Translation {
  text: string;
  /** The parts that stay in English, because the catalog does not contain them. */
  untranslated: string[];
  /** The values that stay as they are. */
  kept: string[];
}

/** The translation of a complete text, with the steps that it took. */
export interface TranslatedText extends Translation {
  steps: number;
}

interface Entry {
  english: Template;
  translated: Template;
}

/** Longer texts stay in English. All of Platen's own texts are shorter. */
const MAX_TEXT_LENGTH = 10_000;
const MAX_SENTENCES = 50;
/** From this many sentence ends on, a text is long. Few entries have as many. */
const LONG = 4;
/**
 * A text has many parts that may be entries, and others choose some of the words in it. Each part costs steps, at most about 100 nanoseconds
 * each. When a text has used up its steps, the rest of it stays in English. All of Platen's own messages need fewer.
 */
export const MAX_STEPS = 100_000;
/** The steps for a part, in addition to one for each of its characters. */
const STEPS_PER_PART = 50;
const STEPS_PER_CANDIDATE = 10;
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
export function createTranslator(catalog: MessageCatalog): (text: string) => TranslatedText {
  const entries = Object.entries(catalog)
    .map(([english, translated]) => ({ english: parseTemplate(english), translated: parseTemplate(translated) }))
    .toSorted((a, b) => countFixedCharacters(b) - countFixedCharacters(a));
  const find = indexByWord(entries);
  return (text) => {
    const work: Work = { find, known: new Map(), steps: 0 };
    const translation = text.length > MAX_TEXT_LENGTH ? leaveUntranslated(text) : translateText(text, work);
    return { ...translation, steps: work.steps };
  };
}

type Find = (text: string) => readonly Entry[];

/** The work on one text. */
interface Work {
  find: Find;
  /** The translations of the text's parts, so that no part is translated twice. */
  known: Map<string, Translation>;
  steps: number;
}

function translateText(text: string, work: Work): Translation {
  const before = work.known.get(text);
  if (before) return before;
  const sentences = openSentences(text, work);
  const whole = (): Translation => translateRun(text, work);
  // A text of many sentences is mostly several entries, and an entry for the whole text may contain all of them a second time.
  const ways = sentences.isLong
    ? [sentences.alone, whole, sentences.inPairs, sentences.inRuns]
    : [whole, sentences.inRuns];
  let best: Translation | null = null;
  for (const translate of ways) {
    if (best !== null && (sentences.isLong ? best.untranslated.length === 0 : isPerfect(best))) break;
    best = chooseBetter(best, translate());
  }
  const translation = best ?? leaveUntranslated(text);
  work.known.set(text, translation);
  return translation;
}

interface Sentences {
  isLong: boolean;
  /** Translate sentence by sentence. Several sentences together may be one entry. */
  alone: () => Translation;
  inPairs: () => Translation;
  inRuns: () => Translation;
}

/** Divides a text into sentences. No run of them is translated twice. */
function openSentences(text: string, work: Work): Sentences {
  const ends = findSentenceEnds(text);
  const starts = [0, ...ends.map((end) => end + 1)];
  const stops = [...ends, text.length];
  const runs = new Map<string, Translation>();
  const translateSome = (first: number, last: number): Translation => {
    const place = `${first}-${last}`;
    const run = runs.get(place) ?? translateRun(text.slice(starts[first], stops[last]), work);
    runs.set(place, run);
    return run;
  };
  const inRunsOf = (longest: number) => (): Translation =>
    ends.length === 0 || ends.length > MAX_SENTENCES || isSpent(work)
      ? leaveUntranslated(text)
      : translateRuns(stops.length, Math.min(longest, ends.length), translateSome);
  return { isLong: ends.length >= LONG, alone: inRunsOf(1), inPairs: inRunsOf(2), inRuns: inRunsOf(ends.length) };
}

/** Divides sentences into runs of at most this length, so that the translations of all runs together are the best. */
function translateRuns(
  sentences: number,
  longest: number,
  translateSome: (first: number, last: number) => Translation,
): Translation {
  // The loop runs from the last sentence to the first. `rest` contains, for each start, the translation of all sentences from there on.
  const rest: Translation[] = [];
  for (let first = sentences - 1; first >= 0; first -= 1) {
    let best: Translation | null = null;
    for (let last = first; last < Math.min(sentences, first + longest); last += 1) {
      const run = translateSome(first, last);
      const after = rest[last + 1];
      best = chooseBetter(best, after ? joinAll([run, after], ' ') : run);
    }
    if (best) rest[first] = best;
  }
  return rest[0] ?? leaveUntranslated('');
}

/** Translates one or more sentences as one entry. */
function translateRun(text: string, work: Work): Translation {
  if (isSpent(work)) return leaveUntranslated(text);
  const candidates = work.find(text);
  work.steps += STEPS_PER_PART + text.length + STEPS_PER_CANDIDATE * candidates.length;
  const isLong = findSentenceEnds(text).length >= LONG;
  let best: Translation | null = null;
  for (const entry of candidates) {
    const translation = isLong && isBare(entry) ? null : translateEntry(entry, text, work);
    if (translation === null) continue;
    best = chooseBetter(best, translation);
    if (isPerfect(best) || isSpent(work)) break;
  }
  return best ?? leaveUntranslated(text);
}

/** Whether an entry is only another text with punctuation, which is a single sentence. */
function isBare({ english }: Entry): boolean {
  return english.placeholders.length === 1 && !/\p{L}/u.test(english.fixed.join(''));
}

function isSpent({ steps }: Work): boolean {
  return steps >= MAX_STEPS;
}

function translateEntry({ english, translated }: Entry, text: string, work: Work): Translation | null {
  const values = matchTemplate(english, text);
  if (values === null) return null;
  work.steps += STEPS_PER_PART + text.length;
  const parts = values.map(({ name, kind, value }) => {
    if (kind === 'text') return { name, ...translateText(value, work) };
    if (kind === 'list') return { name, ...translateList(value, work) };
    const text = kind === 'names' ? joinNames(value) : kind === 'money' ? formatMoney(value) : value;
    return { name, text, untranslated: [], kept: [value] };
  });
  return {
    text: fillTemplate(translated, new Map(parts.map((part) => [part.name, part.text]))),
    untranslated: parts.flatMap(({ untranslated }) => untranslated),
    kept: parts.flatMap(({ kept }) => kept),
  };
}

function translateList(text: string, work: Work): Translation {
  const whole = translateText(text, work);
  const separator = [...SEPARATORS.keys()].find((one) => text.includes(one));
  if (isPerfect(whole) || separator === undefined || isSpent(work)) return whole;
  const parts = text.split(separator).map((part) => translateList(part, work));
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
