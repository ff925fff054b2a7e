import type { StoreView } from './store-view.ts';
import { toExtras } from './to-extras.ts';
import { readTold } from './told.ts';

/** The tags that an order is to have, and how its tags differ from them. */
interface ChangedTags {
  wanted: string[];
  added: string[];
  removed: string[];
}

/** How the tags of an order are to change; null: they stay. Where the shop no longer wants tags, ours are removed. */
export function toChangedTags(view: StoreView): ChangedTags | null {
  const { tags = [], triedTags = [] } = readTold(view.storefrontOrder);
  const wanted = view.settings.tagsOrders ? (toExtras(view)?.tags ?? []) : [];
  const added = wanted.filter((tag) => !tags.includes(tag));
  const removed = [...new Set([...tags, ...triedTags])].filter((tag) => !wanted.includes(tag));
  return added.length + removed.length === 0 ? null : { wanted, added, removed };
}
