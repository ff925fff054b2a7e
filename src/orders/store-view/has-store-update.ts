import { toChangedMetafields } from './to-changed-metafields.ts';
import { toChangedTags } from './to-changed-tags.ts';
import { toDueTriggers } from './to-due-triggers.ts';
import type { StoreView } from './store-view.ts';
import { toEvent } from './to-event.ts';
import { mustReportProgress } from './must-report-progress.ts';
import { toHoldChange } from './to-hold-change.ts';

/** Returns whether the store shows outdated data about an order, so that an update is necessary. */
export function hasStoreUpdate(view: StoreView): boolean {
  return (
    view.printOrders.some(mustReportProgress) ||
    toHoldChange(view) !== null ||
    toUnsentEvents(view).length > 0 ||
    toChangedTags(view) !== null ||
    toChangedMetafields(view) !== null ||
    toDueTriggers(view).length > 0
  );
}

/** Lists Platen's fulfillments with an in-transit or delivered event that the store does not have yet. */
export function toUnsentEvents({ fulfillments, parts }: StoreView) {
  return fulfillments.flatMap((row) => {
    const event = row.state === 'done' && row.shopifyFulfillmentId ? toEvent(row, parts) : null;
    return event === null ? [] : [{ row, event }];
  });
}
