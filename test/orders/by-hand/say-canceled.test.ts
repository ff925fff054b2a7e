import { expect, test } from 'vitest';
import { sayCanceled } from '../../../src/orders/by-hand/say-canceled.ts';

type PrintOrder = Parameters<typeof sayCanceled>[0];

const SUBMITTED: PrintOrder = {
  reference: 'pl-1',
  state: 'submitted',
  printInterface: 'current',
  submitWay: 'draft',
  cancelRefusedWhy: null,
};
const ASKED = 'Platen asks the print service to cancel it. The timeline shows the result.';
const UNABLE = "pl-1 cannot be canceled from here. Cancel it in the print service's dashboard.";

test.each<[string, Partial<PrintOrder>, string]>([
  ['is not printed yet', {}, `pl-1 can be canceled until it is printed: ${ASKED}`],
  ['is being printed', { state: 'in_production' }, `pl-1 is being printed, and the print service may refuse: ${ASKED}`],
  [
    'goes through v1',
    { printInterface: 'v1', submitWay: 'direct' },
    `pl-1 can be canceled until it is printed: ${ASKED}`,
  ],
  ['goes through v2', { printInterface: 'v2', submitWay: 'direct' }, UNABLE],
  ['was sent without the extended calls', { submitWay: 'direct' }, UNABLE],
  ['is shipped', { state: 'shipped' }, 'pl-1 is shipped and will arrive: it is too late to cancel it.'],
])('canceling a print order that %s returns a message with the effect', (_, change, sentence) => {
  expect(sayCanceled({ ...SUBMITTED, ...change }, { isReplaced: false, extendedCalls: false })).toBe(sentence);
});
