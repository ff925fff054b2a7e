import { scopeToUndo, type ToUndo, type Undoable } from '../../orders/leave/count-to-undo.ts';
import type { OptionalScope } from '../../shopify/auth/access-scopes.ts';

/** What there is to take back of one kind, in words; `missingScope`: the permission without which it stays. */
export interface Described {
  text: string;
  missingScope: OptionalScope | null;
}

const TEXTS: Record<keyof Undoable, (count: number) => string> = {
  held: (count) => `${countOf(count, 'order')} put on hold in the store by Platen`,
  tagged: (count) => `${countOf(count, 'order')} with tags of Platen`,
  orderMetafields: (count) => `${countOf(count, 'order')} with metafields of Platen`,
  carrierServices: () => "Platen's carrier service, which offers shipping rates at checkout",
  stocked: (count) => `${countOf(count, 'variant')} stocked at Platen's location by Platen`,
  hidden: (count) => `${countOf(count, 'variant')} made unsellable by Platen`,
  metafields: (count) => `${countOf(count, 'metafield')} of products and variants that say how they are connected`,
  unsent: (count) => `${countOf(count, 'print order')} not sent to print, with the drafts at the print service`,
};
const KINDS = Object.keys(TEXTS) as (keyof Undoable)[];

/** What there is to take back, each kind in words. */
export function describeToUndo(toUndo: ToUndo): Described[] {
  return KINDS.filter((kind) => toUndo[kind] > 0).map((kind) => {
    const scope = scopeToUndo[kind];
    const isMissing = scope !== undefined && toUndo.missingScopes.includes(scope);
    return { text: TEXTS[kind](toUndo[kind]), missingScope: isMissing ? scope : null };
  });
}

/** What was there and is not any more. */
export function listTakenBack(before: ToUndo, left: ToUndo): string[] {
  return KINDS.filter((kind) => before[kind] > left[kind]).map((kind) => TEXTS[kind](before[kind] - left[kind]));
}

/** What is not touched, and what becomes of it; null: there is nothing. */
export function sayLive({ live }: ToUndo): string | null {
  if (live === 0) return null;
  return `${countOf(live, 'print order')} at the print service ${live === 1 ? 'is' : 'are'} under way and not touched: once Platen is stopped, the store is not told of the parcels.`;
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
