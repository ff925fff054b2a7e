import { describe, expect, test } from 'vitest';
import { decideSellable } from '../../../src/products/in-store/decide-sellable.ts';
import { judgeStock } from '../../../src/products/in-store/judge-stock.ts';

const facts = (statuses: Record<string, string>, productUid = 'mug', replenishmentDate: string | null = null) =>
  Object.entries(statuses).map(([stockRegionUid, status]) => ({
    productUid,
    stockRegionUid,
    status,
    replenishmentDate,
  }));
const kindOf = (statuses: Record<string, string>, regions: string[] | null = null) =>
  judgeStock(['mug'], facts(statuses), regions).kind;

describe('whether a variant can be delivered', () => {
  test.each([
    [{ EU: 'in-stock', UK: 'out-of-stock' }, null, 'deliverable'],
    [{ EU: 'non-stockable' }, null, 'deliverable'],
    [{ EU: 'a-word-that-is-new' }, null, 'deliverable'],
    [{ EU: 'out-of-stock-replenishable' }, null, 'deliverable'],
    [{ EU: 'out-of-stock', UK: 'not-supported' }, null, 'undeliverable'],
    [{ EU: 'out-of-stock', UK: 'in-stock' }, ['EU'], 'undeliverable'],
    [{ EU: 'out-of-stock' }, ['EU', 'UK'], 'unknown'],
    [{}, null, 'unknown'],
    [{}, ['EU'], 'unknown'],
  ] as const)('%j in %j: %s', (statuses, regions, kind) => {
    expect(kindOf(statuses, regions && [...regions])).toBe(kind);
  });

  test('all of its products have to be there', () => {
    const both = [...facts({ EU: 'in-stock' }), ...facts({ EU: 'out-of-stock' }, 'envelope')];
    expect(judgeStock(['mug', 'envelope'], both, null).kind).toBe('undeliverable');
    expect(judgeStock(['mug', 'box'], both, ['EU']).kind).toBe('unknown');
  });

  test('what is replenished is said with its day', () => {
    const late = facts({ EU: 'out-of-stock-replenishable' }, 'mug', '2026-12-24');
    expect(judgeStock(['mug'], late, null)).toMatchObject({
      note: { message: expect.stringMatching(/EU \(until 2026-12-24\)/) },
    });
    expect(judgeStock(['mug'], [...late, ...facts({ UK: 'in-stock' })], ['UK'])).toEqual({
      kind: 'deliverable',
      note: null,
    });
  });
});

describe('what is done with it', () => {
  const free = {
    isToHide: true,
    isStocked: true,
    tracked: false,
    inventoryPolicy: 'CONTINUE',
    found: null,
    hiddenAt: null,
  } as const;
  const found = { tracked: false, inventoryPolicy: 'CONTINUE', available: 0 } as const;
  const hidden = { ...free, tracked: true, inventoryPolicy: 'DENY', found, hiddenAt: new Date() } as const;
  test.each([
    ['hide', free],
    ['nothing', { ...free, isToHide: false }],
    ['not_at_location', { ...free, isStocked: false }],
    ['tracked_by_merchant', { ...free, tracked: true }],
    ['nothing', hidden],
    ['restore', { ...hidden, isToHide: false }],
    ['changed', { ...hidden, tracked: false }],
    ['hide', { ...hidden, tracked: false, hiddenAt: null }],
    ['restore', { ...hidden, isToHide: false, hiddenAt: null }],
  ] as const)('%s', (step, factsOfIt) => {
    expect(decideSellable(factsOfIt)).toBe(step);
  });
});
