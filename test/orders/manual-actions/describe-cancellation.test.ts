import { expect, test } from 'vitest';
import { describeCancellation } from '../../../src/orders/manual-actions/describe-cancellation.ts';

type PrintOrder = Parameters<typeof describeCancellation>[0];

const SUBMITTED: PrintOrder = {
  reference: 'pl-1',
  state: 'submitted',
  printInterface: 'current',
  submitWay: 'draft',
  cancelRefusedWhy: null,
};
const ASKED = 'Platen is asking the print service to cancel pl-1, which is';
const RESULT = 'The timeline will show the result.';
const UNABLE = "pl-1 cannot be canceled from here. Cancel it in the print service's dashboard.";

test.each<[string, Partial<PrintOrder>, string]>([
  ['is not printed yet', {}, `${ASKED} possible until it is printed. ${RESULT}`],
  [
    'is being printed',
    { state: 'in_production' },
    `${ASKED} already being printed, so the print service may refuse. ${RESULT}`,
  ],
  [
    'goes through v1',
    { printInterface: 'v1', submitWay: 'direct' },
    `${ASKED} possible until it is printed. ${RESULT}`,
  ],
  ['goes through v2', { printInterface: 'v2', submitWay: 'direct' }, UNABLE],
  ['was sent without the extended calls', { submitWay: 'direct' }, UNABLE],
  ['is shipped', { state: 'shipped' }, 'pl-1 is shipped and will arrive: it is too late to cancel it.'],
])('canceling a print order that %s returns a message that describes the effect', (_, change, sentence) => {
  expect(describeCancellation({ ...SUBMITTED, ...change }, { isReplaced: false, extendedCalls: false })).toBe(sentence);
});
