/**
 * Removes or replaces characters that a text column does not accept. Headers may contain any character. Bodies need no such change, because
 * `parseJsonObject` makes them storable.
 */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
