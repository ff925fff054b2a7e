/**
 * A template is a text with placeholders:
 *
 * - `{name}` stands for a value that stays as it is. The value does not extend over the end of a sentence.
 * - `{name:field}` stands for a value without spaces.
 * - `{name:number}` stands for digits, with a decimal point or without.
 * - `{name:names}` stands for values that are joined with "and" or "or".
 * - `{name:words}` stands for someone else's words, which stay as they are.
 * - `{name:text}` stands for another text of the catalogue, which is translated too.
 * - `{name:list}` stands for several texts of the catalogue, joined with semicolons, commas or the word "and" or "or".
 */
export interface Template {
  /** The fixed parts between the placeholders. There is one more part than there are placeholders. */
  fixed: string[];
  placeholders: { name: string; kind: Kind }[];
}

const KINDS = ['value', 'field', 'number', 'names', 'words', 'text', 'list'] as const;
type Kind = (typeof KINDS)[number];

/** A placeholder and the value that a text contains in its place. */
interface Value {
  name: string;
  kind: Kind;
  value: string;
}

const PLACEHOLDER = /\{([a-zA-Z]+)(?::([a-z]+))?\}/g;
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
    if (stop <= start || stop > end || !isOfKind(kind, text.slice(start, stop))) return null;
    values.push({ name, kind, value: text.slice(start, stop) });
    start = stop + after.length;
  }
  return values;
}

function isOfKind(kind: Kind, value: string): boolean {
  if (kind === 'field') return !value.includes(' ');
  if (kind === 'number') return /^[\d.]+$/.test(value);
  return (kind !== 'value' && kind !== 'names') || findSentenceEnds(value).length === 0;
}

/** Returns a template's text with these values in place of its placeholders. */
export function fillTemplate({ fixed, placeholders }: Template, values: ReadonlyMap<string, string>): string {
  return fixed.map((part, index) => `${part}${values.get(placeholders[index]?.name ?? '') ?? ''}`).join('');
}

/** Returns where the sentences of a text end, except for the last. A space follows each of these positions. */
export function findSentenceEnds(text: string): number[] {
  return Array.from(text.matchAll(SENTENCE_END), (match) => match.index + match[0].length - 1);
}
