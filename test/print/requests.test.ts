import { expect, test } from 'vitest';
import { parseTimestamp } from '../../src/print/parse-timestamp.ts';

test.each([
  ['2021-01-14T12:30:03+00:00', '2021-01-14T12:30:03.000Z'],
  ['2023-06-21T09:44:03+0000', '2023-06-21T09:44:03.000Z'],
  ['2023-06-21T09:44:03+0230', '2023-06-21T07:14:03.000Z'],
  ['2023-06-21T09:44:03-05:00', '2023-06-21T14:44:03.000Z'],
  ['2023-06-21T09:44:03Z', '2023-06-21T09:44:03.000Z'],
  ['2023-06-21T09:44:03.250Z', '2023-06-21T09:44:03.250Z'],
  ['0000-01-01T00:00:00Z', undefined],
  ['0001-01-01T00:00:00+14:00', undefined],
  ['9999-12-31T23:59:59-12:00', undefined],
  ['2023-06-21', undefined],
  ['2023-06-21T09:44:03', undefined],
  ['2023-13-21T09:44:03Z', undefined],
  ['soon', undefined],
  ['', undefined],
])('the timestamp %j is parsed as %s', (value, iso) => {
  expect(parseTimestamp(value)?.toISOString()).toBe(iso);
});
