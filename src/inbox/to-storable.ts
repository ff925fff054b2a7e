/** A text that a text column accepts: headers may contain any character. Bodies are made storable when they are parsed. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
