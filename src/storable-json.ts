const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
/** A surrogate pair, a lone surrogate, a NUL, and any other escape, which is passed over whole. */
const ESCAPE = /\\u(?:d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(d[89a-f][0-9a-f]{2})|(0000))|\\./gis;

/**
 * A JSON text whose strings and keys PostgreSQL can keep: it takes no NUL and no lone surrogate, which are legal JSON. A NUL is left
 * out, a lone surrogate becomes U+FFFD. Every edge (requests, and answers of both services) uses it before it parses.
 */
export function toStorableJsonText(text: string): string {
  if (!UNSTORABLE.test(text)) return text;
  return text.replace(ESCAPE, (escape: string, lone?: string, nul?: string) => {
    if (nul !== undefined) return '';
    return lone === undefined ? escape : '\\ufffd';
  });
}
