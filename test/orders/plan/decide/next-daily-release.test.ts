import { expect, test } from 'vitest';
import { nextDailyRelease } from '../../../../src/orders/plan/decide/next-daily-release.ts';

const next = (after: string, timeOfDay: string, timeZone: string | null): string =>
  nextDailyRelease(new Date(after), timeOfDay, timeZone).toISOString();

test("the next release is when the clock in the shop's time zone next shows the configured time of day", () => {
  expect(next('2026-11-21T12:00:00Z', '18:00', 'Europe/Paris')).toBe('2026-11-21T17:00:00.000Z');
  expect(next('2026-11-21T17:00:00Z', '18:00', 'Europe/Paris')).toBe('2026-11-22T17:00:00.000Z');
  expect(next('2026-11-21T16:59:59.999Z', '18:00', 'Europe/Paris')).toBe('2026-11-21T17:00:00.000Z');
});

test("the release date is determined in the shop's time zone, not in UTC", () => {
  expect(next('2026-11-21T02:00:00Z', '18:30', 'America/Los_Angeles')).toBe('2026-11-21T02:30:00.000Z');
  expect(next('2026-11-21T20:00:00Z', '06:00', 'Pacific/Auckland')).toBe('2026-11-22T17:00:00.000Z');
});

test("the release time is in UTC if the shop's time zone is missing or unknown", () => {
  expect(next('2026-11-21T12:00:00Z', '18:00', null)).toBe('2026-11-21T18:00:00.000Z');
  expect(next('2026-11-21T12:00:00Z', '18:00', 'Nowhere/At all')).toBe('2026-11-21T18:00:00.000Z');
});

test('a release time that is skipped when clocks go forward is shifted once by the skipped period', () => {
  expect(next('2026-03-28T12:00:00Z', '02:30', 'Europe/Paris')).toBe('2026-03-29T01:30:00.000Z');
  expect(next('2026-03-29T01:30:00Z', '02:30', 'Europe/Paris')).toBe('2026-03-30T00:30:00.000Z');
});

test('a release time that occurs twice when clocks go back releases orders once', () => {
  expect(next('2026-10-24T12:00:00Z', '02:30', 'Europe/Paris')).toBe('2026-10-25T00:30:00.000Z');
  expect(next('2026-10-25T00:30:00Z', '02:30', 'Europe/Paris')).toBe('2026-10-26T01:30:00.000Z');
});

test('every day of the year has exactly one release', () => {
  for (const zone of ['Europe/Paris', 'Australia/Lord_Howe']) {
    let at = nextDailyRelease(new Date('2026-01-01T12:00:00Z'), '00:15', zone);
    for (let day = 1; day < 370; day += 1) {
      const following = nextDailyRelease(at, '00:15', zone);
      const hours = (following.getTime() - at.getTime()) / 3_600_000;
      expect(hours, `${zone} ${at.toISOString()}`).toBeGreaterThanOrEqual(22.5);
      expect(hours, `${zone} ${at.toISOString()}`).toBeLessThanOrEqual(25.5);
      at = following;
    }
  }
});
