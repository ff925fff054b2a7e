import { scopeToUndo, type ChangesToUndo, type UndoableChanges } from '../../orders/leave/count-changes-to-undo.ts';
import type { OptionalScope } from '../../shopify/auth/access-scopes.ts';
import { describeCount } from '../describe-count.ts';

/** Describes one kind of change to undo. `missingScope` is the permission whose absence prevents the undo, or null. */
export interface DescribedChange {
  text: string;
  missingScope: OptionalScope | null;
}

const TEXTS: Record<keyof UndoableChanges, (count: number) => string> = {
  held: (count) => `${describeCount(count, 'order')} put on hold in the store by Platen`,
  tagged: (count) => `${describeCount(count, 'order')} with Platen's tags`,
  orderMetafields: (count) => `${describeCount(count, 'order')} with Platen's metafields`,
  carrierServices: () => "Platen's carrier service, which offers shipping rates at checkout",
  stocked: (count) => `${describeCount(count, 'variant')} stocked at Platen's location by Platen`,
  hidden: (count) => `${describeCount(count, 'variant')} made unsellable by Platen`,
  metafields: (count) =>
    `${describeCount(count, 'metafield')} of products and variants that show their connection status`,
  unsent: (count) => `${describeCount(count, 'print order')} not sent to print, with any drafts at the print service`,
};
const KINDS = Object.keys(TEXTS) as (keyof UndoableChanges)[];

/** Returns descriptions of the changes to undo, one per kind. */
export function describeChangesToUndo(toUndo: ChangesToUndo): DescribedChange[] {
  return KINDS.filter((kind) => toUndo[kind] > 0).map((kind) => {
    const scope = scopeToUndo[kind];
    const isMissing = scope !== undefined && toUndo.missingScopes.includes(scope);
    return { text: TEXTS[kind](toUndo[kind]), missingScope: isMissing ? scope : null };
  });
}

/** Returns descriptions of the changes that were undone since `before`, one per kind. */
export function describeUndoneChanges(before: ChangesToUndo, left: ChangesToUndo): string[] {
  return KINDS.filter((kind) => before[kind] > left[kind]).map((kind) => TEXTS[kind](before[kind] - left[kind]));
}

/** Returns a sentence about the live print orders, which are not changed, or null if no print order is live. */
export function describeLivePrintOrders({ live }: ChangesToUndo): string | null {
  if (live === 0) return null;
  return `${describeCount(live, 'print order')} at the print service ${live === 1 ? 'is' : 'are'} in progress and will not be changed. After Platen stops, their parcels will not appear in the store.`;
}
