/** A text that a column of type text takes: a header may have any character. Bodies are made storable when they are parsed. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
