import { describe, expect, test } from 'vitest';
import { decideSellable } from '../../../src/products/availability/decide-sellable.ts';
import { decideStock, type ShippingRegions } from '../../../src/products/availability/decide-stock.ts';

const facts = (statuses: Record<string, string>, productUid = 'mug', more: { isRead?: boolean; day?: string } = {}) =>
  Object.entries(statuses).map(([stockRegionUid, status]) => ({
    productUid,
    stockRegionUid,
    status,
    replenishmentDate: more.day ?? null,
    isRead: more.isRead ?? true,
  }));
const named = (...places: string[]): ShippingRegions => ({ places, are: 'named' });
const read = (...places: string[]): ShippingRegions => ({ places, are: 'read' });
const reported = (...places: string[]): ShippingRegions => ({ places, are: 'reported' });

describe('the stock of a variant', () => {
  test.each([
    [{ EU: 'in-stock', UK: 'out-of-stock' }, read('EU', 'UK'), 'deliverable'],
    [{ EU: 'non-stockable' }, read('EU'), 'deliverable'],
    [{ EU: 'a-word-that-is-new' }, read('EU'), 'deliverable'],
    [{ EU: 'out-of-stock-replenishable' }, read('EU'), 'deliverable'],
    [{ EU: 'out-of-stock', UK: 'not-supported' }, read('EU', 'UK'), 'undeliverable'],
    // Another product has stock in the region UK, so UK is one of the shop's regions. This product's stock in UK is unknown.
    [{ EU: 'out-of-stock' }, read('EU', 'UK'), 'unknown'],
    [{ EU: 'out-of-stock', UK: 'not-told' }, read('EU', 'UK'), 'unknown'],
    [{ EU: 'out-of-stock', UK: 'not-told' }, named('EU'), 'undeliverable'],
    [{ EU: 'out-of-stock', UK: 'in-stock' }, named('EU'), 'undeliverable'],
    [{ EU: 'out-of-stock' }, named('EU', 'UK'), 'unknown'],
    [{ EU: 'not-told' }, named('EU'), 'unknown'],
    [{ EU: 'out-of-stock', UK: 'out-of-stock' }, reported('EU', 'UK'), 'unknown'],
    [{}, read(), 'unknown'],
    [{}, named('EU'), 'unknown'],
  ] as const)('with the stock %j and the regions %j, a variant is %s', (statuses, regions, kind) => {
    expect(decideStock(['mug'], facts(statuses), regions).kind).toBe(kind);
  });

  test('stock reported only by events makes a variant undeliverable only if the shop has named its regions', () => {
    const byEvent = facts({ EU: 'out-of-stock' }, 'mug', { isRead: false });
    expect(decideStock(['mug'], byEvent, named('EU')).kind).toBe('undeliverable');
    expect(decideStock(['mug'], byEvent, read('EU')).kind).toBe('unknown');
  });

  test('a variant counts as deliverable in a region only if the region has all its products', () => {
    const both = [...facts({ EU: 'in-stock' }), ...facts({ EU: 'out-of-stock' }, 'envelope')];
    expect(decideStock(['mug', 'envelope'], both, read('EU')).kind).toBe('undeliverable');
    expect(decideStock(['mug', 'box'], both, named('EU')).kind).toBe('unknown');
  });

  test('the note about replenishable stock states the expected date', () => {
    const late = facts({ EU: 'out-of-stock-replenishable' }, 'mug', { day: '2026-12-24' });
    expect(decideStock(['mug'], late, read('EU'))).toMatchObject({
      note: { message: expect.stringMatching(/EU \(until 2026-12-24\)/) },
    });
    expect(decideStock(['mug'], [...late, ...facts({ UK: 'in-stock' })], named('UK'))).toEqual({
      kind: 'deliverable',
      note: null,
    });
  });

  test('the note about unknown regions suggests naming regions only if the shop has named none', () => {
    const out = facts({ EU: 'out-of-stock' });
    const noteOf = (regions: ShippingRegions) => decideStock(['mug'], out, regions);
    expect(noteOf(reported('EU'))).toMatchObject({
      note: { code: 'regions_not_known', message: expect.stringMatching(/EU.*Name the regions/) },
    });
    expect(noteOf(named('EU', 'UK'))).toMatchObject({
      note: { code: 'regions_not_known', message: expect.not.stringContaining('Name the regions') },
    });
    expect(noteOf(read('UK'))).toEqual({ kind: 'unknown', note: null });
  });
});

describe('the decision about whether a variant is sellable', () => {
  const free = {
    isToHide: true,
    isStocked: true,
    tracked: false,
    inventoryPolicy: 'CONTINUE',
    found: null,
    hiddenAt: null,
    wasChanged: false,
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
    ['changed', { ...free, wasChanged: true }],
    ['nothing', { ...free, wasChanged: true, isToHide: false }],
    ['hide', { ...hidden, tracked: false, hiddenAt: null }],
    ['restore', { ...hidden, isToHide: false, hiddenAt: null }],
  ] as const)('the decision is %s', (step, variantFacts) => {
    expect(decideSellable(variantFacts)).toBe(step);
  });
});
