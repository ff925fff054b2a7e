const MAX_SENTENCES = 10;

/**
 * Returns at most 10 of these sentences about lines or print orders, with the number of the others. A message without a bound would be too long
 * to read, to translate and to send to the store.
 */
export function limitSentences(sentences: readonly string[]): string[] {
  const more = sentences.length - MAX_SENTENCES;
  return [...sentences.slice(0, MAX_SENTENCES), ...(more > 0 ? [`And ${more} more.`] : [])];
}
