import type { EntityManager } from 'typeorm';
import { TimelineEntries, type TimelineEntry } from '../../database/entities/orders.ts';

/** A step to note: what happened, in words a merchant reads; ids and codes in `data`, never personal data. */
export type NewTimelineEntry = Pick<TimelineEntry, 'shopId' | 'storefrontOrderId' | 'kind' | 'message'> &
  Partial<Pick<TimelineEntry, 'printOrderId' | 'data' | 'by'>>;

/** Appends to the timeline of an order, in the caller's transaction: what is not committed was not done. */
export async function writeTimeline(manager: EntityManager, ...entries: NewTimelineEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await manager.insert(
    TimelineEntries,
    entries.map((entry) => ({ ...entry, data: (entry.data ?? {}) as never })),
  );
}
