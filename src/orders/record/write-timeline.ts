import type { EntityManager } from 'typeorm';
import { TimelineEntries, type TimelineEntry } from '../../database/entities/orders.ts';

/** A timeline entry: what happened, in words for the merchant. Ids and codes go into `data`, never personal data. */
export type NewTimelineEntry = Pick<TimelineEntry, 'shopId' | 'storefrontOrderId' | 'kind' | 'message'> &
  Partial<Pick<TimelineEntry, 'printOrderId' | 'data' | 'by'>>;

/** Appends to the timeline of an order in the caller's transaction, so that only committed steps are noted. */
export async function writeTimeline(manager: EntityManager, ...entries: NewTimelineEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await manager.insert(
    TimelineEntries,
    entries.map((entry) => ({ ...entry, data: (entry.data ?? {}) as never })),
  );
}
