import { checkBooks, type Findings } from './check-books.ts';
import type { PlacedOrder } from '../orders/planned-order.ts';
import { readBooks } from './read-books.ts';
import { say } from '../say.ts';
import type { Stage } from '../stage/stage.ts';

/** Compares a finished run's books with the orders that the run placed, and prints each finding and hold. */
export async function checkRun(
  stage: Stage,
  placed: readonly PlacedOrder[],
  restored: { backedUpAt: number; restoredAt: number } | null,
): Promise<Findings> {
  const shops = [...new Set(placed.map(({ shop }) => shop))];
  const checked = checkBooks(await readBooks(stage, shops), placed, restored);
  for (const hold of checked.holds) say(hold);
  for (const { kind, order, evidence } of checked.findings) say(`${kind}: ${order}: ${evidence}`);
  return checked;
}
