import { expect, test } from 'vitest';
import { toStorable, toStorableText } from '../../src/inbox/to-storable.ts';

test('NULs are left out and lone surrogates replaced, in keys and values at any depth', () => {
  const value = { 'a\0b': ['x\0', { 'k\ud800': '\udc00y', ok: '😀' }], n: 1.5, t: true, none: null };
  expect(toStorable(value)).toEqual({ ab: ['x', { 'k\ufffd': '\ufffdy', ok: '😀' }], n: 1.5, t: true, none: null });
  expect(toStorableText('a\0\ud800')).toBe('a\ufffd');
});

test('a key __proto__ stays a key', () => {
  const value: unknown = JSON.parse('{"__proto__":{"polluted":"\\u0000yes"}}');
  expect(JSON.stringify(toStorable(value))).toBe('{"__proto__":{"polluted":"yes"}}');
});
