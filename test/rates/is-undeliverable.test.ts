import { expect, test } from 'vitest';
import { toPrintError } from '../../src/print/http/to-print-error.ts';
import { isUndeliverable } from '../../src/rates/is-undeliverable.ts';

const CALL = { operation: 'quote', kind: 'read', method: 'POST', host: 'order' } as never;
const refusal = (body: object, status = 400) =>
  toPrintError(CALL, { status, text: JSON.stringify(body), retryAfter: null, waitSeconds: null } as never, new Date());

const COUNTRY = { message: 'Not served', reference: 'recipient.country' };
const CITY = { message: 'Too long', reference: 'recipient.city' };

test.each([
  ['its detail names the country', { message: 'Bad request', details: [COUNTRY] }, true],
  ['a further detail names the country', { message: 'Bad request', details: [CITY, COUNTRY] }, true],
  ['its message says that the country is not supported', { message: 'Country XX is not supported' }, true],
  ['it names another field', { message: 'Bad request', details: [CITY] }, false],
])('if a quote is refused and %s (%j), the address counts as undeliverable: %s', (_why, body, expected) => {
  expect(isUndeliverable(refusal(body))).toBe(expected);
});
