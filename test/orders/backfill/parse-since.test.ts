import { expect, test } from 'vitest';
import { InvalidInputError } from '../../../src/errors.ts';
import { parseSince } from '../../../src/orders/backfill/parse-since.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const since = (value: string, timeZone: string | null = null): string => parseSince(value, timeZone, NOW).toISOString();

test("a date without a time means midnight in the shop's time zone", () => {
  expect(since('2026-11-01')).toBe('2026-11-01T00:00:00.000Z');
  expect(since('2026-11-01', 'Europe/Paris')).toBe('2026-10-31T23:00:00.000Z');
  expect(since('2026-11-01', 'America/Los_Angeles')).toBe('2026-11-01T07:00:00.000Z');
});

test('a start date with a time and an offset is used unchanged', () => {
  expect(since('2026-11-01T08:30:00+02:00', 'Europe/Paris')).toBe('2026-11-01T06:30:00.000Z');
  expect(since('2026-11-01T08:30Z')).toBe('2026-11-01T08:30:00.000Z');
});

test.each([
  '',
  'yesterday',
  '2026-11-31',
  '2026-02-29',
  '2026-13-01',
  '2026-11-31T00:00:00Z',
  '2026-11-01T08:30:00',
  '01.11.2026',
  '2026-11-01T25:00:00Z',
])('%j is refused as a start time, with an error that names the accepted formats', (value) => {
  expect(() => since(value)).toThrow(InvalidInputError);
  expect(() => since(value)).toThrow(/since: must be a day such as 2026-11-21, or a time/);
});

test('a start time in the future is refused', () => {
  expect(() => since('2026-11-21T12:00:01Z')).toThrow('since: must not be in the future.');
  expect(() => since('2026-11-22', 'America/Los_Angeles')).toThrow('since: must not be in the future.');
});
