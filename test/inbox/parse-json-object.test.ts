import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { InvalidInputError } from '../../src/errors.ts';
import { parseJsonObject } from '../../src/inbox/parse-json-object.ts';

function nested(depth: number): string {
  return `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
}

describe('parsing a body with parseJsonObject', () => {
  test('an ID above 2^53 is parsed with all its digits, and a smaller ID remains a number', () => {
    const body = Buffer.from('{"id":820982911946154508,"line_items":[{"id":866550311766439020}],"shop_id":548380009}');
    expect(parseJsonObject(body)).toEqual({
      id: '820982911946154508',
      line_items: [{ id: '866550311766439020' }],
      shop_id: 548380009,
    });
  });

  test.each([
    ['empty', ''],
    ['an array', '[{}]'],
    ['an object with a large number as a key', '{9007199254740993 :1}'],
    ['an object with a large number after a zero', '{"a":09007199254740993}'],
    ['a large number', '9007199254740993'],
    ['a string', '"text"'],
    ['null', 'null'],
    ['an incomplete object', '{"a":1'],
    ['two objects', '{}{}'],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x00])],
    ['compressed bytes', Buffer.from([0x1f, 0x8b, 0x08, 0x00])],
  ])('a body that is %s is rejected', (_name, body) => {
    expect(() => parseJsonObject(Buffer.from(body))).toThrow(InvalidInputError);
  });

  test('a body with 64 levels of nesting is parsed, but one with 65 or a million levels is rejected', () => {
    expect(parseJsonObject(Buffer.from(nested(64)))).toHaveProperty('a');
    expect(() => parseJsonObject(Buffer.from(nested(65)))).toThrow(/nested deeper/);
    expect(() => parseJsonObject(Buffer.from(nested(1_000_000)))).toThrow(/nested deeper/);
    expect(() => parseJsonObject(Buffer.from('{"a":'.repeat(100_000)))).toThrow(/nested deeper/);
  });

  test('a body with the maximum number of values is parsed, and a body with more values is rejected', () => {
    const withValues = (count: number) => Buffer.from(`{"a":[${Array.from({ length: count }, () => '{}').join(',')}]}`);
    expect(parseJsonObject(withValues(30), 100)['a']).toHaveLength(30);
    expect(() => parseJsonObject(withValues(100), 100)).toThrow(/more than 100 values/);
    expect(parseJsonObject(Buffer.from(`{"a":"${',[{'.repeat(100)}"}`), 100)).toHaveProperty('a');
  });

  test.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740993.0', '9007199254740993.0'],
    ['1e17', '1e17'],
    ['1.5E+17', '1.5E+17'],
    ['0.1234567890123456789', 0.123_456_789_012_345_68],
    ['9007199254740993 ', '9007199254740993'],
    ['12.50', 12.5],
    ['true', true],
  ])('the value %s is read as %j in any position', (source, value) => {
    expect(parseJsonObject(Buffer.from(`{"a":${source},"b":[${source}]}`))).toEqual({ a: value, b: [value] });
  });

  test.each([
    ['escapes', () => `{"a":"\\u0000${'\\n'.repeat(1_000_000)}"}`],
    ['null characters', () => `{"a":"${'\\u0000'.repeat(340_000)}"}`],
    ['backslashes', () => `{"a":"\\u0000${'\\\\'.repeat(1_000_000)}u0000"}`],
    ['objects and one large number', () => `{"a":[9007199254740993${',{}'.repeat(99_000)}]}`],
  ])('a body of 2 MB of %s is parsed quickly', (_, fill) => {
    const body = Buffer.from(fill());
    const before = process.threadCpuUsage();
    expect(parseJsonObject(body)).toHaveProperty('a');
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(200);
  });

  test('brackets, quotes and backslashes inside a string do not count as levels', () => {
    const text = `${'['.repeat(100)}\\"${'{'.repeat(100)}\\\\`;
    expect(parseJsonObject(Buffer.from(`{"a":"${text}","b":"ü[ü"}`))).toHaveProperty('b', 'ü[ü');
  });

  test.each(['toString', 'valueOf', '\\u0074oString'])('leaves out a key that would break conversions: %s', (key) => {
    const { given } = parseJsonObject(Buffer.from(`{"given":{"length":{"${key}":" "},"other":"toString"}}`));
    expect(given).toEqual({ length: {}, other: 'toString' });
    expect(z.string().min(1).safeParse(given).success).toBe(false);
  });
});
