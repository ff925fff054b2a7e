import { expect, test } from 'vitest';
import { actions, listActionsFor, type Action } from '../../../src/orders/manual-actions/hold-actions.ts';
import { holdCodes, remedyOf } from '../../../src/orders/facts/hold-codes.ts';

/** Returns the actions that the remedy names in quotation marks. */
function namedIn(remedy: string): Action[] {
  return actions.filter((action) => remedy.includes(`"${action.replace('-', ' ')}"`));
}

test.each(holdCodes)('a hold with the code %s offers every action that its remedy names', (code) => {
  expect(listActionsFor(code)).toEqual(expect.arrayContaining(namedIn(remedyOf(code))));
});

test.each(holdCodes)('the remedy for %s names no command or setting', (code) => {
  expect(remedyOf(code)).not.toMatch(/platen |[a-z][A-Z]|setting "/);
});

test('a hold with an unknown code offers only retry and cancel', () => {
  expect(listActionsFor('something_new')).toEqual(['retry', 'cancel']);
});
