import { describe, expect, test } from 'vitest';
import type { Fulfillment } from '../../src/database/entities/packages.ts';
import type { PrintOrder, PrintOrderLine } from '../../src/database/entities/print-orders.ts';
import type { PackageToPush, PrintToPush } from '../../src/shipments/packages-to-push.ts';
import { planPush } from '../../src/shipments/plan-push.ts';
import type { OpenLine, StoreFulfillment, StoreFulfillments } from '../../src/shipments/store-fulfillments.ts';
import { toFulfillments } from '../../src/shipments/to-fulfillment.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

/** Returns a package of one part, with the units of each item. By default, the package has not been pushed yet. */
function parcel(trackingCode: string, units: Record<string, number | null>, more: Partial<PackageToPush> = {}) {
  const items = Object.entries(units).map(([itemReferenceId, quantity]) => ({
    packageId: trackingCode,
    itemReferenceId,
    quantity,
  }));
  const base: PackageToPush = {
    id: trackingCode,
    printOrderId: '1',
    serviceOrderId: 'part-1',
    trackingCode,
    trackingUrl: `https://track.example/${trackingCode}`,
    shipmentMethodUid: null,
    shipmentMethodName: null,
    seenAt: NOW,
    confirmedAt: NOW,
    pushedAt: null,
    replacedAt: null,
    refusedAt: null,
    items,
    itemReferenceIds: Object.keys(units),
  };
  return { ...base, ...more };
}

/** Returns a print order whose lines have the same names as their items and LineItems. */
function print(units: Record<string, number>, packages: PackageToPush[]): PrintToPush {
  const lines = Object.entries(units).map(
    ([name, quantity]) =>
      ({ printOrderId: '1', itemReferenceId: name, shopifyLineItemId: name, sku: name, quantity }) as PrintOrderLine,
  );
  return { printOrder: { id: '1', shopifyFulfillmentOrderId: 'fo-1' } as PrintOrder, lines, packages, replaced: [] };
}

function open(id: string, shopifyLineItemId: string, remaining: number, more: Partial<OpenLine> = {}): OpenLine {
  const base = { fulfillmentOrderId: 'fo-1', locationId: 'here', standing: 'open' as const };
  return { ...base, id, shopifyLineItemId, remaining, ...more };
}

function made(id: string, units: Record<string, number>, codes: string[], isActive = true): StoreFulfillment {
  const lines = Object.entries(units).map(([shopifyLineItemId, quantity]) => ({ shopifyLineItemId, quantity }));
  return { id, isActive, lines, tracking: codes.map((number) => ({ company: null, number, url: null })) };
}

const inStore = (openLines: OpenLine[], fulfillments: StoreFulfillment[] = []): StoreFulfillments => ({
  isThere: true,
  isCanceled: false,
  ordered: new Map(),
  openLines,
  fulfillments,
});

/** Returns a summary of the plan: codes to add by fulfillment, items and codes to fulfill, and packages that need no action. */
function brief(prints: PrintToPush[], store: StoreFulfillments, rows: Fulfillment[] = []) {
  const { updates, groups, settled } = planPush(prints, rows, store);
  return {
    add: updates.map(({ fulfillment, added }) => [fulfillment.id, added.map(({ number }) => number)]),
    make: groups.flatMap((group) =>
      toFulfillments(group, store.openLines, true).map(({ lines, tracking }) => [
        Object.fromEntries(lines.map(({ shopifyLineItemId, quantity }) => [shopifyLineItemId, quantity])),
        tracking.map(({ number }) => number),
      ]),
    ),
    settled: settled.map(({ package: one, isShown }) => [one.trackingCode, isShown]),
  };
}

describe('the plan of a push', () => {
  test('unfulfilled items get one fulfillment per group', () => {
    const packages = [parcel('P1', { a: 1 }), parcel('P2', { b: 2 }), parcel('P3', { b: 2 })];
    const store = inStore([open('1', 'a', 1), open('2', 'b', 2)]);
    expect(brief([print({ a: 1, b: 2 }, packages)], store)).toEqual({
      add: [],
      make: [
        [{ a: 1 }, ['P1']],
        [{ b: 2 }, ['P2', 'P3']],
      ],
      settled: [],
    });
  });

  test("a package needs no action if its items' fulfillment already has its code", () => {
    const store = inStore([], [made('f1', { a: 1 }, ['P1'])]);
    expect(brief([print({ a: 1 }, [parcel('P1', { a: 1 })])], store)).toEqual({
      add: [],
      make: [],
      settled: [['P1', true]],
    });
  });

  test('a later code is added to each fulfillment with one of its items', () => {
    const pushed = { pushedAt: NOW };
    const packages = [
      parcel('P1', { a: 1 }, pushed),
      parcel('P2', { b: 1 }, pushed),
      parcel('P3', { a: 1, b: 1, c: 1 }),
    ];
    const store = inStore([open('3', 'c', 1)], [made('f1', { a: 1 }, ['P1']), made('f2', { b: 1 }, ['P2'])]);
    expect(brief([print({ a: 1, b: 1, c: 1 }, packages)], store)).toEqual({
      add: [
        ['f1', ['P3']],
        ['f2', ['P3']],
      ],
      make: [[{ c: 1 }, ['P3']]],
      settled: [],
    });
  });

  test("a code that a person removed from Platen's fulfillment still identifies its units", () => {
    const rows = [
      { state: 'done', shopifyFulfillmentId: 'f1', lines: [], trackingCodes: ['P1'] } as unknown as Fulfillment,
    ];
    const packages = [parcel('P1', { a: 1 }, { pushedAt: NOW }), parcel('P2', { a: 1 })];
    const store = inStore([open('1', 'a', 4)], [made('f1', { a: 1 }, [])]);
    expect(brief([print({ a: 1 }, packages)], store, rows)).toMatchObject({ add: [['f1', ['P2']]], make: [] });
  });

  test('units of a fulfillment that exceed those of its own part belong to the other parts', () => {
    const packages = [parcel('P1', { a: 1 }, { pushedAt: NOW }), parcel('P2', { a: 1 }, { serviceOrderId: 'part-2' })];
    const store = inStore([open('1', 'a', 3)], [made('f1', { a: 2 }, ['P1'])]);
    expect(brief([print({ a: 2 }, packages)], store)).toMatchObject({ add: [['f1', ['P2']]], make: [] });
  });

  test('units with an unknown fulfillment outcome block their whole group', () => {
    const rows = [
      {
        state: 'unclear',
        shopifyFulfillmentId: null,
        lines: [{ shopifyLineItemId: 'a', quantity: 1 }],
        trackingCodes: ['P1'],
      },
    ] as unknown as Fulfillment[];
    const packages = [parcel('P1', { a: 1, b: 1 }), parcel('P2', { c: 1 })];
    const store = inStore([open('1', 'a', 1), open('2', 'b', 1), open('3', 'c', 1)]);
    expect(brief([print({ a: 1, b: 1, c: 1 }, packages)], store, rows)).toEqual({
      add: [],
      make: [[{ c: 1 }, ['P2']]],
      settled: [],
    });
  });

  test('a package needs no action if nothing is left to fulfill and no fulfillment has its code', () => {
    const store = inStore([], [made('by-hand', { a: 1 }, [])]);
    expect(brief([print({ a: 1 }, [parcel('P1', { a: 1 })])], store).settled).toEqual([['P1', false]]);
  });
});

const ELSEWHERE = { fulfillmentOrderId: 'fo-2', locationId: 'there' };

test.each<[string, Record<string, number>, OpenLine[], string[]]>([
  ['never fulfills more units than are left', { a: 3 }, [open('1', 'a', 2)], ['fo-1: 2 of 1']],
  ['never fulfills more units than were shipped', { a: 3 }, [open('1', 'a', 9)], ['fo-1: 3 of 1']],
  [
    "takes units from the print order's fulfillment order first, then from others at the same location",
    { a: 3 },
    [open('9', 'a', 2, { fulfillmentOrderId: 'fo-2' }), open('1', 'a', 2)],
    ['fo-1: 2 of 1; fo-2: 1 of 9'],
  ],
  [
    'makes a separate fulfillment for units at another location',
    { a: 1, b: 1 },
    [open('1', 'a', 1), open('2', 'b', 1, ELSEWHERE)],
    ['fo-1: 1 of 1', 'fo-2: 1 of 2'],
  ],
  ['leaves out units that are waiting', { a: 1 }, [open('1', 'a', 1, { standing: 'waiting' })], []],
  ['leaves out units that belong to another service', { a: 1 }, [open('1', 'a', 1, { standing: 'elsewhere' })], []],
])('a push %s', (_, units, openLines, expected) => {
  const { groups } = planPush([print(units, [parcel('P1', units)])], [], inStore(openLines));
  const made = groups
    .flatMap((group) => toFulfillments(group, openLines, true))
    .map(({ input }) =>
      input.lineItemsByFulfillmentOrder
        .map(
          ({ fulfillmentOrderId, fulfillmentOrderLineItems = [] }) =>
            `${fulfillmentOrderId}: ${fulfillmentOrderLineItems?.map(({ id, quantity }) => `${quantity} of ${id}`).join()}`,
        )
        .join('; '),
    );
  expect(made).toEqual(expected);
});
