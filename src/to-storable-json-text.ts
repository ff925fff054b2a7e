const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
const PAIR = /^d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/i;
const LONE = /^d[89a-f][0-9a-f]{2}/i;

/**
 * Returns JSON text that PostgreSQL can store. NULs and lone surrogates are legal in JSON, but PostgreSQL rejects them. NULs are removed,
 * and each lone surrogate becomes U+FFFD. Requests and responses of both services pass through this function before they are parsed.
 */
export function toStorableJsonText(text: string): string {
  if (!UNSTORABLE.test(text)) return text;
  // A replacement by a regular expression takes half a second for a million escapes, because it would visit each of them.
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('\\u'); at >= 0; at = text.indexOf('\\u', at)) {
    const code = text.slice(at + 2, at + 12);
    const isPair = PAIR.test(code);
    const replacement = code.startsWith('0000') ? '' : LONE.test(code) && !isPair ? '\\ufffd' : null;
    if (replacement !== null && !isEscaped(text, at)) {
      if (at > from) parts.push(text.slice(from, at));
      if (replacement !== '') parts.push(replacement);
      from = at + 6;
    }
    at += isPair ? 12 : 2;
  }
  return parts.join('') + text.slice(from);
}

/** Returns whether the backslash at a position belongs to an escaped backslash. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}
