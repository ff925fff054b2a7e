import type { StoreView } from './store-view.ts';
import { toExtras } from './to-extras.ts';
import { readWrittenValues } from './written-values.ts';

/** The tags that an order should have, and the changes to its current tags. */
interface ChangedTags {
  wanted: string[];
  added: string[];
  removed: string[];
}

/** Computes the changes to an order's tags, or null if nothing changes. If the shop no longer wants tags, removes Platen's tags. */
export function toChangedTags(view: StoreView): ChangedTags | null {
  const { tags = [], triedTags = [] } = readWrittenValues(view.storefrontOrder);
  const wanted = view.settings.tagsOrders ? (toExtras(view)?.tags ?? []) : [];
  const added = wanted.filter((tag) => !tags.includes(tag));
  const removed = [...new Set([...tags, ...triedTags])].filter((tag) => !wanted.includes(tag));
  return added.length + removed.length === 0 ? null : { wanted, added, removed };
}
