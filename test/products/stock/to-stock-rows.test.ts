import { expect, test } from 'vitest';
import { toStockRows } from '../../../src/products/stock/to-stock-rows.ts';

const wanted = new Set(['mug', 'poster']);
const region = (stockRegionUid: string, status: string | null, replenishmentDate: string | null = null) => ({
  stockRegionUid,
  status,
  replenishmentDate,
});

test('there is one row for each region of each requested product, with the last status in the list', () => {
  const stock = [
    { productUid: 'mug', availability: [region('EU', 'in-stock'), region('EU', 'out-of-stock', '2026-12-24')] },
    { productUid: 'chair', availability: [region('EU', 'in-stock')] },
  ];
  expect(toStockRows(stock, wanted)).toEqual([
    { productUid: 'mug', stockRegionUid: 'EU', status: 'out-of-stock', replenishmentDate: '2026-12-24' },
  ]);
});

test('an unknown status is kept, a missing status becomes not-told, and invalid days and long values are dropped', () => {
  const availability = [
    region('EU', 'on-its-way', '2026-02-30'),
    region('UK', null, '2026-12-24'),
    region('US-CA', ''),
    region('OC', 'x'.repeat(101)),
    region('EU', null),
    region('y'.repeat(101), 'in-stock'),
  ];
  expect(toStockRows([{ productUid: 'poster', availability }], wanted)).toEqual([
    { productUid: 'poster', stockRegionUid: 'EU', status: 'on-its-way', replenishmentDate: null },
    ...['UK', 'US-CA', 'OC'].map((stockRegionUid) => {
      return { productUid: 'poster', stockRegionUid, status: 'not-told', replenishmentDate: null };
    }),
  ]);
});
