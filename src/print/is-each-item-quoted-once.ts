import type { PortQuote } from './port.ts';

/** Returns whether the quotes together contain each requested item exactly once (docs/rules/print-interface.md#quote-order). */
export function isEachItemQuotedOnce(
  quotes: readonly PortQuote[],
  items: readonly { itemReferenceId: string }[],
): boolean {
  const got = quotes.flatMap(({ itemReferenceIds }) => itemReferenceIds).toSorted();
  const wanted = items.map(({ itemReferenceId }) => itemReferenceId).toSorted();
  return JSON.stringify(got) === JSON.stringify(wanted);
}
