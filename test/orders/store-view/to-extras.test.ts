import { describe, expect, test } from 'vitest';
import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { remedyOf } from '../../../src/orders/facts/hold-codes.ts';
import { toExtras } from '../../../src/orders/store-view/to-extras.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const WAITING: Partial<PrintOrder> = { state: 'quoted' };
const PRINTING: Partial<PrintOrder> = { state: 'in_production', confirmedAt: NOW };
const SHIPPED: Partial<PrintOrder> = { state: 'shipped', confirmedAt: NOW, shippedAt: NOW };
const CANCELED: Partial<PrintOrder> = { state: 'canceled', confirmedAt: NOW };
const HOLD = { code: 'fulfillment_refused', message: 'The store refused the fulfillment: Not now.' };

const printOrder = (more: Partial<PrintOrder>, part = 1) =>
  ({
    reference: `plTEST-1-${part}`,
    confirmedAt: null,
    shippedAt: null,
    fencedAt: null,
    printAgainAt: null,
    minDeliveryDate: null,
    maxDeliveryDate: null,
    ...more,
  }) as PrintOrder;
const extrasOf = (orders: Partial<PrintOrder>[], holds: { code: string; message: string }[] = []) =>
  toExtras({ printOrders: orders.map((one, index) => printOrder(one, index + 1)), holds });

describe('the status of an order in the store', () => {
  test.each([
    ['waiting', [WAITING], []],
    ['printing', [PRINTING], ['platen: printing']],
    ['printing', [WAITING, PRINTING], ['platen: printing']],
    ['partly shipped', [SHIPPED, PRINTING], ['platen: partly shipped']],
    ['shipped', [SHIPPED, { ...SHIPPED, state: 'fulfilled' }], ['platen: shipped']],
    ['shipped', [SHIPPED, CANCELED], ['platen: shipped']],
    ['shipped', [{ ...SHIPPED, state: 'held' }], ['platen: shipped']],
    ['canceled', [CANCELED], ['platen: canceled']],
    ['failed', [{ ...CANCELED, state: 'failed' }], ['platen: failed']],
    ['waiting', [CANCELED, WAITING], []],
    ['waiting', [{ ...SHIPPED, printAgainAt: NOW }, WAITING], []],
    ['waiting', [{ ...WAITING, state: 'planned', fencedAt: NOW }, WAITING], []],
  ] as const)('an order has the status %s with the print orders %o', (status, orders, tags) => {
    const extras = extrasOf([...orders]);
    expect(extras?.metafields.print_status).toBe(status);
    expect(extras?.tags).toEqual(tags);
  });
});

test('an order without lines printed by Platen has no tags or metafields', () => {
  expect(extrasOf([])).toBeNull();
});

test('a hold adds a tag next to the status tag, and a metafield with the problem and the fix', () => {
  const extras = extrasOf([SHIPPED], [HOLD, HOLD]);
  expect(extras?.tags).toEqual(['platen: shipped', 'platen: held']);
  expect(extras?.metafields.hold).toBe(`${HOLD.message}\nWhat to do: ${remedyOf(HOLD.code)}`);
  expect(extrasOf([], [HOLD])?.tags).toEqual(['platen: held']);
});

test('the metafields list the references of active print orders, and the delivery dates span all of these print orders', () => {
  const dates = (minDeliveryDate: string, maxDeliveryDate: string) => ({ minDeliveryDate, maxDeliveryDate });
  const extras = extrasOf([
    { ...PRINTING, ...dates('2026-12-03', '2026-12-08') },
    { ...PRINTING, ...dates('2026-12-01', '2026-12-09') },
    { ...CANCELED, ...dates('2026-11-01', '2026-12-31') },
  ]);
  expect(extras?.metafields).toMatchObject({ delivery_from: '2026-12-01', delivery_until: '2026-12-09' });
  expect(JSON.parse(extras?.metafields.references ?? '')).toEqual(['plTEST-1-1', 'plTEST-1-2']);
});
