import type { PrintEvent } from '../../print/events.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import { toServiceHold } from '../facts/service-trouble.ts';

/** Steps before shipping: production takes hours, and several of its events arrive together. */
const STEPS = new Set(['created', 'uploading', 'passed', 'in_production', 'digitizing', 'printed']);
const STEP_SECONDS = 30;
/** The events of one step arrive within this time: those of its codes, its items and the order. */
const TOGETHER_SECONDS = 5;

/**
 * Seconds that the reading after an event waits for other events of the order, so that one reading answers them all. A status that needs
 * the merchant is read at once, and nothing waits longer than the shop's gathering time for tracking codes.
 */
export function secondsToGather(event: PrintEvent, { gatherSeconds }: Pick<Settings, 'gatherSeconds'>): number {
  return Math.min(longestGathering(event), gatherSeconds);
}

/** The same, regardless of the shop's setting. */
export function longestGathering(event: PrintEvent): number {
  const status =
    event.kind === 'order_status_updated'
      ? event.fulfillmentStatus
      : event.kind === 'order_item_status_updated'
        ? event.status
        : null;
  if (toServiceHold(status) !== null) return 0;
  return STEPS.has(status ?? '') ? STEP_SECONDS : TOGETHER_SECONDS;
}
