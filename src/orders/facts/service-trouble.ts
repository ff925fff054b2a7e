import type { PrintOrderLine } from '../../database/entities/print-orders.ts';
import { cleanText, MAX_TEXT_LENGTH } from '../address/clean-text.ts';
import type { HoldCode } from './hold-codes.ts';
import { truncateText } from '../../truncate-text.ts';

/** Statuses of an order or an item that need the merchant's attention (docs/rules/states.md#service-statuses). */
const TROUBLES = new Map<string, HoldCode>([
  ['on_hold', 'service_on_hold'],
  ['pending_approval', 'service_pending_approval'],
  ['pending_personalization', 'service_pending_personalization'],
  ['not_connected', 'service_not_connected'],
  ['failed', 'service_failed'],
  ['canceled', 'service_canceled'],
  ['returned', 'service_returned'],
]);
const OVER = new Set(['failed', 'canceled']);
const PRINTED = new Set(['printed', 'shipped', 'in_transit', 'delivered', 'returned']);
const MAX_WORDS = 300;

/** The hold codes for these statuses. */
export const serviceHoldCodes: readonly HoldCode[] = [...TROUBLES.values()];

/** Returns the hold code for a status, or null if the status does not need attention. */
export function toServiceHoldCode(status: string | null): HoldCode | null {
  return TROUBLES.get(status ?? '') ?? null;
}

/** Returns whether an order or item with this status will never ship. */
export function willNeverShip(status: string | null): boolean {
  return OVER.has(status ?? '');
}

/** Returns whether a parcel with this status exists or is being prepared. */
export function isPrinted(status: string | null): boolean {
  return PRINTED.has(status ?? '');
}

/** Counts a line's units that the service still prints under this reference. */
export function countUnitsInEffect({
  quantity,
  serviceStatus,
  unitsOver,
  unitsAgain,
  printAgainAt,
}: Pick<PrintOrderLine, 'quantity' | 'serviceStatus' | 'unitsOver' | 'unitsAgain' | 'printAgainAt'>): number {
  return printAgainAt !== null || willNeverShip(serviceStatus) ? 0 : quantity - Math.max(unitsOver, unitsAgain);
}

/** Counts a line's units that will never ship and for which nobody has requested a reprint. */
export function countUndeliverableUnits({
  quantity,
  serviceStatus,
  unitsOver,
  unitsAgain,
  printAgainAt,
}: Pick<PrintOrderLine, 'quantity' | 'serviceStatus' | 'unitsOver' | 'unitsAgain' | 'printAgainAt'>): number {
  if (printAgainAt !== null) return 0;
  return Math.max(0, (willNeverShip(serviceStatus) ? quantity : unitsOver) - unitsAgain);
}

/**
 * Cleans the service's comment and shortens it to one line of at most 300 characters. Returns null if there is no comment
 * (docs/rules/print-interface.md#event-oddities).
 */
export function cleanComment(comment: string | null): string | null {
  const words = cleanText(truncateText(comment, MAX_TEXT_LENGTH));
  const cut = Array.from(words).slice(0, MAX_WORDS).join('').trim();
  return cut === '' ? null : cut;
}

/** Returns a status in words. */
export function describeStatus(status: string): string {
  return status.replaceAll('_', ' ');
}

/** Returns a hold's message: the service's status, the affected line (or null for the whole order) and the service's comment. */
export function describeTrouble(
  status: string,
  line: Pick<PrintOrderLine, 'sku'> | null,
  words: string | null,
): string {
  const about = line === null ? '' : ` for ${describeLine(line)}`;
  return `The print service reports "${describeStatus(status)}"${about}${words === null ? '.' : `, with the comment: ${words}`}`;
}

/** Returns a line's name for the merchant. */
export function describeLine({ sku }: Pick<PrintOrderLine, 'sku'>): string {
  return sku ?? 'the line without a SKU';
}
