import type { PrintEvent } from '../../print/events.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import { toServiceHold } from '../facts/service-trouble.ts';

/** The steps before the shipping: production takes hours, and several of its events come together. */
const STEPS = new Set(['created', 'uploading', 'passed', 'in_production', 'digitizing', 'printed']);
const STEP_SECONDS = 30;
/** What one step of an order reports comes within this time: its codes, its items, itself. */
const TOGETHER_SECONDS = 5;

/**
 * Seconds for which the reading after an event waits for other events of the order, so that one reading answers them all. What needs a
 * person is read at once, and nothing waits longer than the shop gathers tracking codes.
 */
export function secondsToGather(event: PrintEvent, { gatherSeconds }: Pick<Settings, 'gatherSeconds'>): number {
  return Math.min(longestGathering(event), gatherSeconds);
}

/** The same, whatever the shop has set. */
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
