import { truncateText } from '../truncate-text.ts';

/** Truncates a text to `longest` UTF-16 units, without control characters. Returns null if nothing is left. */
export function toPlainText(text: string | null, longest: number): string | null {
  const plain = text?.replaceAll(/\p{Cc}/gu, ' ').trim() ?? '';
  return truncateText(plain, longest).trim() || null;
}
