import type { Deviation, PrintOrder, PrintOrderLine } from '../../src/database/entities/print-orders.ts';
import { findDeviation } from '../../src/orders/rows/deviations.ts';
import type { KnownPrint } from '../../src/orders/rows/own-rows.ts';

const WHEN = new Date('2026-11-21T11:00:00Z');

/** Returns a sent print order with one line, with these changes applied. */
export function knownPrint(
  change: Partial<PrintOrder> = {},
  line: Partial<PrintOrderLine> = {},
  deviation: Partial<Deviation> = {},
): KnownPrint {
  const printOrder = {
    id: '1',
    reference: 'pl-1',
    shopifyFulfillmentOrderId: 'fo',
    state: 'submitted',
    submitWay: 'draft',
    confirmStartedAt: WHEN,
    confirmedAt: WHEN,
    cancelRequestedAt: null,
    closedAt: null,
    closedReason: null,
    fencedAt: null,
    shippedAt: null,
    printAgainAt: null,
    ...change,
  } as PrintOrder;
  const lines = [
    {
      shopifyLineItemId: 'a',
      quantity: 2,
      fulfilledBefore: 0,
      unitsAgain: 0,
      printAgainAt: null,
      ...line,
    } as PrintOrderLine,
  ];
  return { printOrder, lines, attempts: [], deviation: { ...findDeviation([], printOrder.id), ...deviation } };
}
