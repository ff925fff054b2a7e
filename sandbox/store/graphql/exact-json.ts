/** Formats JSON in which a bigint is a number with all its digits, because REST IDs can be above 2^53. */
export function exactJson(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `\u0000${part}` : part));
  return text.replaceAll(/"\\u0000(\d+)"/g, '$1');
}
