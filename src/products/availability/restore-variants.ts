import { updateVariants, type ItemStock, type VariantChange } from '../../shopify/calls/stock-flags.ts';
import type { KeepScope } from '../kept-variants/keep-scope.ts';
import { putBackQuantities, type FoundLook } from './put-back-quantities.ts';
import type { StockOf } from './read-stock.ts';
import { markFound, settleSellable, toUntouched } from './save-sellable.ts';
import { sayOfStock, type StockNote } from './stock-notes.ts';

/** What the store may tell as a change of its own, since Platen has just set something of the variant. */
const OUR_DOING_MS = 60_000;

/** A variant that is to be as it was found, and what there is to say of it then. */
export type ToRestore = FoundLook & { note: StockNote };

/**
 * Puts variants back as they were found: sold again first, then the quantity. What somebody has changed meanwhile stays as it is,
 * and so does one that is counted elsewhere by now: to count it no more would be to count that no more. Throws ShopifyError.
 */
export async function restoreVariants(scope: KeepScope, due: readonly ToRestore[], stockOf: StockOf): Promise<void> {
  const all = due.map(withTime);
  const isOwn = ({ look, found }: ToRestore) =>
    look.variant.inventoryItem.tracked && !found.tracked && isCountedElsewhere(stockOf(look), found.at);
  await settleSellable(
    scope,
    all.filter(isOwn).map(({ look }) => toUntouched(look, sayOfStock('counted_since'))),
  );
  const ours = all.filter((one) => !isOwn(one));
  await markFound(scope, ours);
  const refused = await updateVariants(scope.admin, ours.flatMap(toRestored));
  const unset = await putBackQuantities(
    scope,
    ours.filter(({ look }) => !refused.has(look.variant.id)),
  );
  const outcomes = ours.map(({ look, found, note }) => {
    const { id } = look.variant;
    const isRefused = refused.get(id);
    if (isRefused) return { id, found, hiddenAt: look.row.hiddenAt, note: isRefused };
    const isUnset = unset.get(id);
    return isUnset ? { id, found, hiddenAt: null, note: isUnset } : toUntouched(look, note);
  });
  await settleSellable(scope, outcomes);
}

/** Since when it is unsellable stays known when putting it back is cut off. */
function withTime(one: ToRestore): ToRestore {
  const at = one.found.at ?? one.look.row.hiddenAt?.toISOString();
  return at === undefined ? one : { ...one, found: { ...one.found, at } };
}

/** Own stock may be sold out just now: what counts is that somebody has counted it since the variant was found, or may have. */
function isCountedElsewhere({ isElsewhere, changedElsewhereAt }: ItemStock, foundAt: string | undefined): boolean {
  if (isElsewhere || changedElsewhereAt === null) return isElsewhere;
  return foundAt === undefined || changedElsewhereAt.getTime() > Date.parse(foundAt) + OUR_DOING_MS;
}

/** What is as it was found is not said. */
function toRestored({ look: { variant }, found }: ToRestore): VariantChange[] {
  const tracked = variant.inventoryItem.tracked !== found.tracked ? { tracked: found.tracked } : {};
  const isOurs = variant.inventoryPolicy === 'DENY' && found.inventoryPolicy !== 'DENY';
  const inventoryPolicy = isOurs ? { inventoryPolicy: found.inventoryPolicy } : {};
  const change = { ...tracked, ...inventoryPolicy };
  return Object.keys(change).length === 0 ? [] : [{ productId: variant.product.id, variantId: variant.id, ...change }];
}
