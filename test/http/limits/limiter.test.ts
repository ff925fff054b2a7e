import { expect, test } from 'vitest';
import { createLimiter, type Rule } from '../../../src/http/limits/limiter.ts';
import { toAddressKey } from '../../../src/http/limits/to-address-key.ts';

function openLimiter(rule: Partial<Rule>) {
  let seconds = 1_000;
  const limiter = createLimiter({ ticks: () => seconds * 1000 }, { atOnce: 100, burst: 100, perSecond: 1, ...rule });
  return { ...limiter, pass: (more: number) => void (seconds += more) };
}

test('requests after a burst are limited to the steady rate until a pause allows another burst', () => {
  const { enter, pass } = openLimiter({ burst: 3, perSecond: 0.5 });
  expect([enter('a'), enter('a'), enter('a'), enter('a')]).toEqual([null, null, null, 2]);
  pass(1);
  expect(enter('a')).toBe(1);
  pass(1);
  expect([enter('a'), enter('a')]).toEqual([null, 2]);
  pass(600);
  expect([enter('a'), enter('a'), enter('a'), enter('a')]).toEqual([null, null, null, 2]);
});

test('the bytes of a request count when it ends, and the daily allowance refills gradually', () => {
  const { enter, leave, pass } = openLimiter({ bytesPerDay: 86_400 });
  enter('a');
  leave('a', 86_400 + 99);
  expect(enter('a')).toBe(100);
  expect(enter('b')).toBeNull();
  pass(100);
  expect(enter('a')).toBeNull();
  leave('a', 1_000_000);
  expect(enter('a')).toBe(3_600);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:0db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('the address %s is counted as %s', (address, key) => {
  expect(toAddressKey(address)).toBe(key);
});
