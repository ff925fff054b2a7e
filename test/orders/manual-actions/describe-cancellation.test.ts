import { expect, test } from 'vitest';
import { describeCancellation } from '../../../src/orders/manual-actions/describe-cancellation.ts';

type PrintOrder = Parameters<typeof describeCancellation>[0];

const SUBMITTED: PrintOrder = { reference: 'pl-1', state: 'submitted', printInterface: 'current', submitWay: 'draft' };
const SENT = { isReplaced: false, cancelRefusedWhy: null, extendedCalls: false };
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
  ['goes by v1', { printInterface: 'v1', submitWay: 'direct' }, `${ASKED} possible until it is printed. ${RESULT}`],
  ['goes through v2', { printInterface: 'v2', submitWay: 'direct' }, UNABLE],
  ['was sent without the extended calls', { submitWay: 'direct' }, UNABLE],
  ['is shipped', { state: 'shipped' }, 'pl-1 has shipped and will arrive: it is too late to cancel it.'],
])('canceling a print order that %s returns a message that describes the effect', (_, change, sentence) => {
  expect(describeCancellation({ ...SUBMITTED, ...change }, SENT)).toBe(sentence);
});

test('canceling a print order returns the reason if the print service has already refused to cancel it', () => {
  const message = describeCancellation(SUBMITTED, { ...SENT, cancelRefusedWhy: 'it is already being printed' });
  expect(message).toBe('pl-1 could not be canceled: it is already being printed.');
});
