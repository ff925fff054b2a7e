import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '../../src/errors.ts';
import { parseJsonObject } from '../../src/inbox/parse-json-object.ts';

function nested(depth: number): string {
  return `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
}

describe('parseJsonObject', () => {
  test('an id above 2^53 keeps its digits, a smaller one stays a number', () => {
    const body = Buffer.from('{"id":820982911946154508,"line_items":[{"id":866550311766439020}],"shop_id":548380009}');
    expect(parseJsonObject(body)).toEqual({
      id: '820982911946154508',
      line_items: [{ id: '866550311766439020' }],
      shop_id: 548380009,
    });
  });

  test.each([
    ['nothing', ''],
    ['a list', '[{}]'],
    ['a text', '"text"'],
    ['null', 'null'],
    ['half an object', '{"a":1'],
    ['two objects', '{}{}'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
    ['compressed bytes', Buffer.from([0x1f, 0x8b, 0x08, 0x00])],
  ])('%s is refused', (_name, body) => {
    expect(() => parseJsonObject(Buffer.from(body))).toThrow(InvalidInputError);
  });

  test('64 levels are read, 65 and a million are refused', () => {
    expect(parseJsonObject(Buffer.from(nested(64)))).toHaveProperty('a');
    expect(() => parseJsonObject(Buffer.from(nested(65)))).toThrow(/nested deeper/);
    expect(() => parseJsonObject(Buffer.from(nested(1_000_000)))).toThrow(/nested deeper/);
    expect(() => parseJsonObject(Buffer.from('{"a":'.repeat(100_000)))).toThrow(/nested deeper/);
  });

  test('brackets, quotes and backslashes inside a text do not count as levels', () => {
    const text = `${'['.repeat(100)}\\"${'{'.repeat(100)}\\\\`;
    expect(parseJsonObject(Buffer.from(`{"a":"${text}","b":"ü[ü"}`))).toHaveProperty('b', 'ü[ü');
  });

  test('a byte order mark, a number without end and a key twice are read', () => {
    expect(parseJsonObject(Buffer.from('\ufeff{"a":1e400,"b":1,"b":820982911946154509}'))).toEqual({
      a: Number.POSITIVE_INFINITY,
      b: '820982911946154509',
    });
  });

  test('a key __proto__ is a key and changes no prototype', () => {
    const body = parseJsonObject(Buffer.from('{"__proto__":{"polluted":true}}'));
    expect(Object.keys(body)).toEqual(['__proto__']);
    expect(body).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });
});
