import { expect, test } from 'vitest';
import { listActionsFor } from '../../../src/orders/manual-actions/hold-actions.ts';
import { holdCodes, remedyOf } from '../../../src/orders/facts/hold-codes.ts';

test.each(holdCodes)('the remedy for %s names no command or setting', (code) => {
  expect(remedyOf(code)).not.toMatch(/platen |[a-z][A-Z]|setting "/);
});

test('a hold with an unknown code offers only retry and cancel', () => {
  expect(listActionsFor('something_new')).toEqual(['retry', 'cancel']);
});
