import { expect, test } from 'vitest';
import { parseDay, parseDeliveryDays } from '../../src/print/parse-day.ts';

test.each(['2026-11-21', '2028-02-29'])('%s is a valid date', (day) => {
  expect(parseDay(day)).toBe(day);
});

test.each([null, '', 'soon', '2026-02-30', '2026-13-45', '2027-02-29', '2026-1-2', '2026-11-21T00:00:00Z'])(
  '%j is not a valid date',
  (day) => {
    expect(parseDay(day)).toBeNull();
  },
);

test('each valid day of a delivery estimate is returned, but neither day is returned if the first is after the last', () => {
  const read = (minDeliveryDate: string | null, maxDeliveryDate: string | null) =>
    parseDeliveryDays({ minDeliveryDate, maxDeliveryDate });
  expect(read('2026-11-21', '2026-11-21')).toEqual({ from: '2026-11-21', to: '2026-11-21' });
  expect(read('2026-02-30', '2026-11-21')).toEqual({ from: null, to: '2026-11-21' });
  expect(read('2026-11-22', '2026-11-21')).toEqual({ from: null, to: null });
});
