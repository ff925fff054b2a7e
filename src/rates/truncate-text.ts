/**
 * Truncates a text to `longest` UTF-16 units, without control characters or half a surrogate pair at its end. Returns null if nothing is
 * left.
 */
export function truncateText(text: string | null, longest: number): string | null {
  const plain =
    text
      ?.toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim() ?? '';
  return (
    plain
      .slice(0, longest)
      .replace(/\p{Cs}$/u, '')
      .trim() || null
  );
}
