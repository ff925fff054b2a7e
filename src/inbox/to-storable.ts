/**
 * Returns text that a text column accepts, because headers may contain any character. Bodies need no such change, because `parseJsonObject`
 * makes them storable.
 */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
