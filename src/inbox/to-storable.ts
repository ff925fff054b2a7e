/**
 * Returns text that a text column accepts, because headers may contain any character. Bodies already become storable when they are
 * parsed.
 */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
