const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
/** A surrogate pair, a lone surrogate, a NUL, or any other escape, which is skipped whole. */
const ESCAPE = /\\u(?:d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(d[89a-f][0-9a-f]{2})|(0000))|\\./gis;

/**
 * A JSON text that PostgreSQL can store. NULs and lone surrogates are legal JSON, but PostgreSQL rejects them: a NUL is removed, a lone
 * surrogate becomes U+FFFD. Requests and responses of both services pass through this before they are parsed.
 */
export function toStorableJsonText(text: string): string {
  if (!UNSTORABLE.test(text)) return text;
  return text.replace(ESCAPE, (escape: string, lone?: string, nul?: string) => {
    if (nul !== undefined) return '';
    return lone === undefined ? escape : '\\ufffd';
  });
}
