import { expect, test } from 'vitest';
import { parseRateCode, toRateCode } from '../../src/rates/rate-code.ts';

test.each([
  ['express', 'dhl_express', 'platen:express:dhl_express'],
  ['express', undefined, 'platen:express'],
  ['normal', 'with:colon', 'platen:normal:with:colon'],
])('a rate with the class %s and the method %s has the code %s, which can be parsed', (type, uid, code) => {
  expect(toRateCode(type, uid)).toBe(code);
  expect(parseRateCode(code)).toEqual({ type, uid: uid ?? null });
});

test.each([null, '', 'express', 'platen', 'platen:', 'platen::uid', 'Platen:express'])('%j is no rate code', (code) => {
  expect(parseRateCode(code)).toBeNull();
});
