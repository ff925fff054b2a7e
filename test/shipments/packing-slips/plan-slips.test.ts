import { expect, test } from 'vitest';
import { planSlips, type PrintToPack } from '../../../src/shipments/packing-slips/plan-slips.ts';

type Line = PrintToPack['lines'][number];
type Parcel = PrintToPack['packages'][number];

const line = (itemReferenceId: string, quantity: number, more: Partial<Line> = {}): Line =>
  ({
    itemReferenceId,
    quantity,
    unitsOver: 0,
    unitsAgain: 0,
    printAgainAt: null,
    serviceStatus: null,
    ...more,
  }) as Line;

const parcel = (trackingCode: string, items: Record<string, number | null>, serviceOrderId = 'part-1'): Parcel =>
  ({
    trackingCode,
    serviceOrderId,
    items: Object.entries(items).map(([itemReferenceId, quantity]) => ({ itemReferenceId, quantity, packageId: '1' })),
  }) as Parcel;

const plan = (lines: Line[], packages: Parcel[]) =>
  planSlips({ printOrder: {} as PrintToPack['printOrder'], lines, packages }).map((slip) => ({
    code: slip.parcel?.trackingCode ?? null,
    units: Object.fromEntries(slip.lines.map((one) => [one.line.itemReferenceId, one.quantity])),
    ...(slip.isDivided && { isDivided: true }),
  }));

test('a print order without packages has one slip with everything that will still be sent', () => {
  const over = { unitsOver: 1 };
  const gone = [line('c', 1, { printAgainAt: new Date() }), line('d', 1, { serviceStatus: 'canceled' })];
  expect(plan([line('a', 2), line('b', 3, over), ...gone], [])).toEqual([{ code: null, units: { a: 2, b: 2 } }]);
});

test('each package has its own slip, and units without a package share one more slip', () => {
  const packages = [parcel('ONE', { a: null }), parcel('TWO', { b: 1 }, 'part-2')];
  expect(plan([line('a', 2), line('b', 3)], packages)).toEqual([
    { code: 'ONE', units: { a: 2 } },
    { code: 'TWO', units: { b: 1 } },
    { code: null, units: { b: 2 } },
  ]);
});

test('parts with the same tracking code are in one package', () => {
  const packages = [parcel('ONE', { a: 1 }), parcel('ONE', { a: 2, b: 1 }, 'part-2')];
  expect(plan([line('a', 3), line('b', 1)], packages)).toEqual([{ code: 'ONE', units: { a: 3, b: 1 } }]);
});

test('slips show whether the service lists the same items in several packages', () => {
  const packages = [parcel('ONE', { a: 2 }), parcel('TWO', { a: 2 })];
  expect(plan([line('a', 2)], packages)).toEqual([
    { code: 'ONE', units: { a: 2 }, isDivided: true },
    { code: 'TWO', units: { a: 2 }, isDivided: true },
  ]);
});

test('packages share a line’s units if the service does not report how many each contains', () => {
  const packages = [parcel('ONE', { a: null }), parcel('TWO', { a: null }, 'part-2')];
  expect(plan([line('a', 2)], packages)).toEqual([
    { code: 'ONE', units: { a: 1 } },
    { code: 'TWO', units: { a: 1 } },
  ]);
});

test('units that are reprinted under another reference are not on the slips of the first print order', () => {
  expect(plan([line('a', 3, { unitsOver: 1, unitsAgain: 2 })], [])).toEqual([{ code: null, units: { a: 1 } }]);
});
