import { expect, test } from 'vitest';
import { parseJsonObject } from '../../src/inbox/parse-json-object.ts';
import { toStorableText } from '../../src/inbox/to-storable-text.ts';
import { parseJson } from '../../src/print/http/parse-json.ts';

const BODY = String.raw`{"a\u0000b":["x\u0000",{"k\uD800":"\udc00y","ok":"\ud83d\ude00"}],"path":"c:\\u0000","two":"\ud83d\ud83d\ude00"}`;
const READ = { ab: ['x', { 'k\ufffd': '\ufffdy', ok: '😀' }], path: String.raw`c:\u0000`, two: '\ufffd😀' };

test('a request is read without NULs, and with its lone surrogates replaced, in keys and values at any depth', () => {
  expect(parseJsonObject(Buffer.from(BODY))).toEqual(READ);
});

test('a response from the print service is read without NULs, and with its lone surrogates replaced', () => {
  expect(parseJson(BODY)).toEqual(READ);
});

test('a header is stored without NULs, and its lone surrogates are replaced', () => {
  expect(toStorableText('a\0\ud800')).toBe('a\ufffd');
});
