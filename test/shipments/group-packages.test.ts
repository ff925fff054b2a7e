import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  groupPackages,
  itemKey,
  type ItemNode,
  type PackageGroup,
  type PackageNode,
} from '../../src/shipments/group-packages.ts';

type Group = PackageGroup<ItemNode, PackageNode>;

const item = (itemReferenceId: string, serviceOrderId = 'part-1'): ItemNode => ({ serviceOrderId, itemReferenceId });
const parcel = (trackingCode: string, itemReferenceIds: string[], serviceOrderId = 'part-1'): PackageNode => ({
  serviceOrderId,
  trackingCode,
  itemReferenceIds,
});
/** Returns the groups in the form `[[items], [codes]]`. */
const brief = (groups: Group[]) =>
  groups.map(({ items, packages }) => [
    items.map(({ itemReferenceId }) => itemReferenceId),
    packages.map(({ trackingCode }) => trackingCode),
  ]);

describe('the grouping of packages', () => {
  test('an item in two packages joins the packages into one group', () => {
    const groups = groupPackages([item('a'), item('b')], [parcel('P2', ['a', 'b']), parcel('P1', ['a'])]);
    expect(brief(groups)).toEqual([
      [
        ['a', 'b'],
        ['P1', 'P2'],
      ],
    ]);
  });

  test('the same code in two parts counts as one package', () => {
    const groups = groupPackages(
      [item('a', 'part-1'), item('b', 'part-2')],
      [parcel('P1', ['a'], 'part-1'), parcel('P1', ['b'], 'part-2')],
    );
    expect(brief(groups)).toEqual([
      [
        ['a', 'b'],
        ['P1', 'P1'],
      ],
    ]);
  });
});

const part = fc.constantFrom('part-1', 'part-2');
const reference = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const items = fc.uniqueArray(fc.record({ serviceOrderId: part, itemReferenceId: reference }), {
  selector: itemKey,
  maxLength: 10,
});
const packages = fc.uniqueArray(
  fc.record({
    serviceOrderId: part,
    trackingCode: fc.constantFrom('P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8'),
    itemReferenceIds: fc.uniqueArray(reference, { maxLength: 3 }),
  }),
  { selector: ({ serviceOrderId, trackingCode }) => `${serviceOrderId} ${trackingCode}`, maxLength: 10 },
);

describe('the groups of any packages', () => {
  test('every item and every code is in exactly one group', () => {
    fc.assert(
      fc.property(items, packages, (nodes, parcels) => {
        const groups = groupPackages(nodes, parcels);
        const keys = groups.flatMap((group) => group.items.map(itemKey));
        expect(keys.toSorted()).toEqual(nodes.map(itemKey).toSorted());
        expect(groups.flatMap((group) => group.packages)).toHaveLength(parcels.length);
        const codes = groups.flatMap((group) => [...new Set(group.packages.map(({ trackingCode }) => trackingCode))]);
        expect(codes.toSorted()).toEqual([...new Set(parcels.map(({ trackingCode }) => trackingCode))].toSorted());
      }),
    );
  });

  test('the groups do not depend on the order in which packages arrive', () => {
    fc.assert(
      fc.property(
        items.chain((nodes) => fc.tuple(fc.constant(nodes), shuffled(nodes))),
        packages.chain((parcels) => fc.tuple(fc.constant(parcels), shuffled(parcels))),
        ([nodes, otherNodes], [parcels, otherParcels]) => {
          expect(groupPackages(otherNodes, otherParcels)).toEqual(groupPackages(nodes, parcels));
        },
      ),
    );
  });
});

function shuffled<Value>(values: Value[]): fc.Arbitrary<Value[]> {
  return fc.shuffledSubarray(values, { minLength: values.length });
}
