/**
 * Returns at most the first `longest` UTF-16 units of a text. A character that does not fit completely is left out, because half of a
 * surrogate pair is not a character. Replaces other unpaired surrogates.
 */
export function truncateText(text: string, longest: number): string;
export function truncateText(text: string | null | undefined, longest: number): string | null;
export function truncateText(text: string | null | undefined, longest: number): string | null {
  if (text === null || text === undefined) return null;
  const isSplit = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(longest - 1, longest + 1));
  return text.slice(0, isSplit ? longest - 1 : longest).toWellFormed();
}
