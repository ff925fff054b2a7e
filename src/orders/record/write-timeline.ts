import type { EntityManager } from 'typeorm';
import { TimelineEntries, type TimelineEntry } from '../../database/entities/orders.ts';
import { addEventsToSpan } from '../../tracing/work.ts';

/** A new timeline entry. Its message describes an event to the merchant. `data` contains IDs and codes, but never personal data. */
export type NewTimelineEntry = Pick<TimelineEntry, 'shopId' | 'storefrontOrderId' | 'kind' | 'message'> &
  Partial<Pick<TimelineEntry, 'printOrderId' | 'data' | 'by'>>;

/** Adds entries to an order's timeline in the caller's transaction, so that only committed steps are recorded. */
export async function writeTimeline(manager: EntityManager, ...entries: NewTimelineEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await manager.insert(
    TimelineEntries,
    entries.map((entry) => ({ ...entry, data: (entry.data ?? {}) as never })),
  );
  addEventsToSpan(entries.map(({ kind, data }) => ({ kind, code: data?.['code'] ?? data?.['reason'] })));
}
