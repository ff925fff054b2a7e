/** How often a statement was sent per order. */
export interface StatementCount {
  perOrder: number;
  text: string;
}

const LENGTH = 200;

/** Returns the statements that were sent between two counts, grouped by shape, most frequent first. */
export function groupStatements(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  orders: number,
): StatementCount[] {
  const counts = new Map<string, number>();
  for (const [text, count] of Object.entries(after)) {
    const sent = count - (before[text] ?? 0);
    const shape = toShape(text);
    if (sent > 0) counts.set(shape, (counts.get(shape) ?? 0) + sent);
  }
  return [...counts]
    .map(([text, count]) => ({ perOrder: count / orders, text }))
    .toSorted((one, other) => other.perOrder - one.perOrder);
}

/** Returns a statement without its values, extra spaces and the columns that TypeORM lists. */
function toShape(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/("\w+"\."\w+" AS "\w+"(, )?)+/g, '… ')
    .replaceAll(/'[^']*'/g, '?')
    .replaceAll(/\b\d+\b/g, '?')
    .replaceAll(/\$\?(, ?\$\?)+/g, '$?, …')
    .trim()
    .slice(0, LENGTH);
}
