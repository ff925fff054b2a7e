/**
 * A template is a text with placeholders:
 *
 * - `{name}` stands for one or more references, order names, numbers, times or codes, which stay as they are. It never stands for part of
 *   a sentence, so that no English words end up in a translation.
 * - `{name:field}` stands for a single such value without spaces.
 * - `{name:number}` stands for digits, with or without a decimal point.
 * - `{name:money}` stands for an amount with its currency, such as `5.04 USD`, which is formatted.
 * - `{name:names}` stands for values that are joined with "and" or "or".
 * - `{name:words}` stands for words that are not Platen's, which stay as they are.
 * - `{name:text}` stands for another text of the catalog, which is also translated.
 * - `{name:list}` stands for several texts of the catalog, joined with semicolons, commas, "and" or "or".
 */
export interface Template {
  /** The fixed parts between the placeholders. There is one more part than there are placeholders. */
  fixed: string[];
  placeholders: { name: string; kind: Kind }[];
}

const KINDS = ['value', 'field', 'number', 'money', 'names', 'words', 'text', 'list'] as const;
type Kind = (typeof KINDS)[number];

/** A placeholder and the value that a text contains in its place. */
interface Value {
  name: string;
  kind: Kind;
  value: string;
}

const PLACEHOLDER = /\{([a-zA-Z]+)(?::([a-z]+))?\}/g;
/** Words that occur only in a sentence: words in lowercase letters, and words before a colon. */
const PROSE = /(?:^| )(?:\p{Ll}+[,;.)]*|\S*:)(?= |$)/u;
/**
 * A single capitalized word, such as "It" or "Held". At the start of a text, it begins a sentence or is a label before a colon, so it is
 * not a value.
 */
const SENTENCE_START = /^\p{Lu}\p{Ll}+$/u;
const SENTENCE_END = /[.!?]["”“)]? /g;

/** Throws an Error for an unknown kind of placeholder, and for two placeholders without text between them. */
export function parseTemplate(source: string): Template {
  const fixed: string[] = [];
  const placeholders: Template['placeholders'] = [];
  let end = 0;
  for (const match of source.matchAll(PLACEHOLDER)) {
    const kind = KINDS.find((one) => one === (match[2] ?? 'value'));
    const between = source.slice(end, match.index);
    if (kind === undefined || (between === '' && end > 0)) throw new Error(`This template is not valid: ${source}`);
    fixed.push(between);
    placeholders.push({ name: match[1] ?? '', kind });
    end = match.index + match[0].length;
  }
  return { fixed: [...fixed, source.slice(end)], placeholders };
}

/** Returns the values of a template's placeholders in a text, or null if the text does not have the template's form. */
export function matchTemplate({ fixed, placeholders }: Template, text: string): Value[] | null {
  const first = fixed[0] ?? '';
  const last = fixed.at(-1) ?? '';
  if (placeholders.length === 0) return text === first ? [] : null;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return null;
  const values: Value[] = [];
  const end = text.length - last.length;
  let start = first.length;
  for (const [index, { name, kind }] of placeholders.entries()) {
    const after = fixed[index + 1] ?? '';
    const stop = index === placeholders.length - 1 ? end : text.indexOf(after, start + 1);
    if (stop <= start || stop > end || !isOfKind(kind, text.slice(start, stop), start === 0)) return null;
    values.push({ name, kind, value: text.slice(start, stop) });
    start = stop + after.length;
  }
  return values;
}

function isOfKind(kind: Kind, value: string, isStart: boolean): boolean {
  if (isStart && (kind === 'value' || kind === 'field') && SENTENCE_START.test(value)) return false;
  if (kind === 'value') return value.split(', ').every((one) => !one.includes(' ') || isName(one));
  if (kind === 'field') return !value.includes(' ');
  if (kind === 'number') return /^[\d.]+$/.test(value);
  if (kind === 'money') return /^\S+ \S+$/.test(value);
  return kind !== 'names' || findSentenceEnds(value).length === 0;
}

/** Whether several words may be one value, such as the order's name `EN #1001` or the time `2026-11-21 08:00 UTC`. Both have digits. */
function isName(words: string): boolean {
  return /\d/.test(words) && !PROSE.test(words);
}

/** Returns a template's text with these values in place of its placeholders. */
export function fillTemplate({ fixed, placeholders }: Template, values: ReadonlyMap<string, string>): string {
  return fixed.map((part, index) => `${part}${values.get(placeholders[index]?.name ?? '') ?? ''}`).join('');
}

/** Returns where the sentences of a text end, except for the last. A space follows each of these positions. */
export function findSentenceEnds(text: string): number[] {
  return Array.from(text.matchAll(SENTENCE_END), (match) => match.index + match[0].length - 1);
}
