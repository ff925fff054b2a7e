import { expect, test } from 'vitest';
import { actions, actionsFor, type Action } from '../../../src/orders/by-hand/hold-actions.ts';
import { holdCodes, remedyOf } from '../../../src/orders/facts/hold-codes.ts';

/** The acts that a sentence names: as a word in quotes, or as a command. */
function namedIn(remedy: string): Action[] {
  return actions.filter(
    (action) => remedy.includes(`"${action.replace('-', ' ')}"`) || remedy.includes(`"platen orders ${action}"`),
  );
}

test.each(holdCodes)('what the remedy of %s names is offered', (code) => {
  expect(actionsFor(code)).toEqual(expect.arrayContaining(namedIn(remedyOf(code))));
});

test('a hold that nobody has listed can be tried again once it is mended', () => {
  expect(actionsFor('something_new')).toEqual(['retry', 'cancel']);
});
