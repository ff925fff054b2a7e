import { expect, test } from 'vitest';
import { actions, actionsFor, type Action } from '../../../src/orders/by-hand/hold-actions.ts';
import { holdCodes, remedyOf } from '../../../src/orders/facts/hold-codes.ts';

/** The actions that a sentence names in quotes. */
function namedIn(remedy: string): Action[] {
  return actions.filter((action) => remedy.includes(`"${action.replace('-', ' ')}"`));
}

test.each(holdCodes)('the actions that the remedy of %s names are offered', (code) => {
  expect(actionsFor(code)).toEqual(expect.arrayContaining(namedIn(remedyOf(code))));
});

test.each(holdCodes)('the remedy of %s names no command and no setting', (code) => {
  expect(remedyOf(code)).not.toMatch(/platen |[a-z][A-Z]|setting "/);
});

test('a hold with an unknown code can be retried once it is fixed', () => {
  expect(actionsFor('something_new')).toEqual(['retry', 'cancel']);
});
