import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupConnected, isDraft, isLive } from '../../../src/orders/facts/found-orders.ts';

interface Part {
  id: string;
  connectedOrderIds: string[];
}

const names = (groups: Part[][]): string[][] =>
  groups
    .map((group) => group.map(({ id }) => id).toSorted())
    .toSorted((a, b) => (a[0] ?? '').localeCompare(b[0] ?? ''));

/** A reference implementation: groups records that are connected through any number of IDs, even through IDs without a record. */
function reach(parts: readonly Part[]): string[][] {
  const reached = (from: Part): string[] => {
    const ids = new Set([from.id]);
    for (let size = 0; size !== ids.size;) {
      size = ids.size;
      for (const { id, connectedOrderIds } of parts)
        if ([id, ...connectedOrderIds].some((one) => ids.has(one)))
          for (const one of [id, ...connectedOrderIds]) ids.add(one);
    }
    return parts
      .map(({ id }) => id)
      .filter((id) => ids.has(id))
      .toSorted();
  };
  return [...new Map(parts.map((part) => [JSON.stringify(reached(part)), reached(part)])).values()].toSorted((a, b) =>
    (a[0] ?? '').localeCompare(b[0] ?? ''),
  );
}

const anyId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const anyParts = fc.uniqueArray(fc.record({ id: anyId, connectedOrderIds: fc.array(anyId, { maxLength: 2 }) }), {
  selector: ({ id }) => id,
});

test('records that refer to each other, directly or indirectly, count as one order regardless of their sequence', () => {
  fc.assert(
    fc.property(anyParts, fc.infiniteStream(fc.nat()), (parts, dice) => {
      const shuffled = parts.map((part) => ({ part, at: dice.next().value ?? 0 })).toSorted((a, b) => a.at - b.at);
      expect(names(groupConnected(parts))).toEqual(reach(parts));
      expect(names(groupConnected(shuffled.map(({ part }) => part)))).toEqual(reach(parts));
    }),
    { numRuns: 300 },
  );
});

test('two orders with the same reference that do not refer to each other are separate orders', () => {
  expect(
    groupConnected([
      { id: 'a', connectedOrderIds: [] },
      { id: 'b', connectedOrderIds: [] },
    ]),
  ).toHaveLength(2);
});

test('an order is live while any of its parts is neither canceled nor failed', () => {
  expect(isLive([{ fulfillmentStatus: 'canceled' }, { fulfillmentStatus: 'created' }])).toBe(true);
  expect(isLive([{ fulfillmentStatus: 'canceled' }, { fulfillmentStatus: 'failed' }])).toBe(false);
  expect(isLive([{ fulfillmentStatus: null }])).toBe(true);
});

test('a record without a type counts as a draft only if its status is "draft"', () => {
  expect(isDraft({ orderType: 'draft', fulfillmentStatus: 'created' })).toBe(true);
  expect(isDraft({ orderType: null, fulfillmentStatus: 'draft' })).toBe(true);
  expect(isDraft({ orderType: 'order', fulfillmentStatus: 'draft' })).toBe(false);
  expect(isDraft({ orderType: null, fulfillmentStatus: 'created' })).toBe(false);
});
