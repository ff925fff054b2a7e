import type { StoreView } from './store-view.ts';
import { toExtras } from './to-extras.ts';
import { readWritten } from './written.ts';

/** The wanted tags of an order, and the changes that they need. */
interface ChangedTags {
  wanted: string[];
  added: string[];
  removed: string[];
}

/** The changes of an order's tags; null: none. If the shop no longer wants tags, Platen's are removed. */
export function toChangedTags(view: StoreView): ChangedTags | null {
  const { tags = [], triedTags = [] } = readWritten(view.storefrontOrder);
  const wanted = view.settings.tagsOrders ? (toExtras(view)?.tags ?? []) : [];
  const added = wanted.filter((tag) => !tags.includes(tag));
  const removed = [...new Set([...tags, ...triedTags])].filter((tag) => !wanted.includes(tag));
  return added.length + removed.length === 0 ? null : { wanted, added, removed };
}
