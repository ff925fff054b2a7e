import { describe, expect, test } from 'vitest';
import { remedyOf } from '../../../src/orders/facts/hold-codes.ts';
import {
  cleanComment,
  describeTrouble,
  describeLine,
  toServiceHoldCode,
} from '../../../src/orders/facts/service-trouble.ts';

describe('comments from the print service', () => {
  test.each([
    [null, null],
    ['', null],
    [' \u0000\u200b\n', null],
    [' The file\n\tis \u0007 too   small ', 'The file is too small'],
    ['a\ud800b', 'a\ufffdb'],
  ])('the comment %j is cleaned up to %j', (comment, words) => {
    expect(cleanComment(comment)).toBe(words);
  });

  test('a comment is cut off after 300 characters, not after 300 bytes', () => {
    expect(cleanComment('é'.repeat(1_000_000))).toBe('é'.repeat(300));
    expect(Array.from(cleanComment('😀'.repeat(5000)) ?? '')).toHaveLength(300);
  });
});

test.each([
  ['on_hold', 'service_on_hold'],
  ['pending_approval', 'service_pending_approval'],
  ['pending_personalization', 'service_pending_personalization'],
  ['not_connected', 'service_not_connected'],
  ['failed', 'service_failed'],
  ['canceled', 'service_canceled'],
  ['returned', 'service_returned'],
])('the status %s causes a hold with a remedy for that status', (status, code) => {
  expect(toServiceHoldCode(status)).toBe(code);
  expect(remedyOf(code)).not.toBe(remedyOf('unknown_code'));
});

test.each(['created', 'passed', 'shipped', 'delivered', 'a future status', null])(
  'the status %s does not cause a hold',
  (status) => {
    expect(toServiceHoldCode(status)).toBeNull();
  },
);

test('the message of a hold names the line by its SKU, if it has one, and repeats the comment', () => {
  const line = { sku: null };
  expect(describeLine({ sku: 'MUG' })).toBe('MUG');
  expect(describeTrouble('failed', line, 'Too small')).toBe(
    'The print service reports "failed" for the line without a SKU, with the comment: Too small',
  );
  expect(describeTrouble('on_hold', null, null)).toBe('The print service reports "on hold".');
});
