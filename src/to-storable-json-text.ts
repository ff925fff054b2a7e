const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
/** Matches a surrogate pair, a lone surrogate, a NUL, or any other escape. Other escapes are skipped as a whole. */
const ESCAPE = /\\u(?:d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(d[89a-f][0-9a-f]{2})|(0000))|\\./gis;

/**
 * Returns JSON text that PostgreSQL can store. NULs and lone surrogates are legal in JSON, but PostgreSQL rejects them. NULs are removed,
 * and each lone surrogate becomes U+FFFD. Requests and responses of both services pass through this function before they are parsed.
 */
export function toStorableJsonText(text: string): string {
  if (!UNSTORABLE.test(text)) return text;
  return text.replace(ESCAPE, (escape: string, lone?: string, nul?: string) => {
    if (nul !== undefined) return '';
    return lone === undefined ? escape : '\\ufffd';
  });
}
