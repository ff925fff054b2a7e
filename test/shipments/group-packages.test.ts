import { expect, test } from 'vitest';
import { groupPackages } from '../../src/shipments/group-packages.ts';

test('the same code in two parts counts as one package', () => {
  const items = ['part-1', 'part-2'].map((serviceOrderId) => ({ serviceOrderId, itemReferenceId: serviceOrderId }));
  const packages = items.map(({ serviceOrderId, itemReferenceId }) => ({
    serviceOrderId,
    trackingCode: 'P1',
    itemReferenceIds: [itemReferenceId],
  }));
  expect(groupPackages(items, packages)).toEqual([{ items, packages }]);
});
