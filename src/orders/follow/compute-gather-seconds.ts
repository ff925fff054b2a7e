import type { PrintEvent } from '../../print/events.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import { toServiceHoldCode } from '../facts/service-trouble.ts';

/** Statuses before shipping. Production takes hours, and the service sends several events close together at each step. */
const STEPS = new Set(['created', 'uploading', 'passed', 'in_production', 'digitizing', 'printed']);
const STEP_SECONDS = 30;
/** When an order advances, the events about the order, its items and its tracking codes all arrive within this time. */
const TOGETHER_SECONDS = 5;

/**
 * Returns how many seconds the reading that an event triggers waits for the order's other events, so that one reading covers all of them. A
 * status that needs the merchant's attention is read immediately, and no reading waits longer than the shop's setting `gatherSeconds`.
 */
export function computeGatherSeconds(event: PrintEvent, { gatherSeconds }: Pick<Settings, 'gatherSeconds'>): number {
  return Math.min(computeMaxGatherSeconds(event), gatherSeconds);
}

/** Returns the wait of `computeGatherSeconds` in seconds, without the shop's limit. */
export function computeMaxGatherSeconds(event: PrintEvent): number {
  const status =
    event.kind === 'order_status_updated'
      ? event.fulfillmentStatus
      : event.kind === 'order_item_status_updated'
        ? event.status
        : null;
  if (toServiceHoldCode(status) !== null) return 0;
  return STEPS.has(status ?? '') ? STEP_SECONDS : TOGETHER_SECONDS;
}
