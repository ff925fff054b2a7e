import { describe, expect, test } from 'vitest';
import { describeFailure, describeRefusal, formatServiceMessage } from '../../../src/orders/waits/describe-failure.ts';
import { toPrintError } from '../../../src/print/http/to-print-error.ts';

const CALL = { operation: 'createOrder', kind: 'create', method: 'POST', host: 'order' } as const;

/** Returns the error for this response of the print service to a create request. */
function refusal(body: object, status = 400) {
  const result = { status, text: JSON.stringify(body), retryAfter: null };
  return toPrintError(CALL, result, new Date());
}

describe('the message of a refused create request', () => {
  test("the message names every detail with its field in the merchant's terms", () => {
    const details = [
      { message: 'Not a PDF.', reference: 'items[1].files[0].url' },
      { message: 'Too long.', reference: 'shippingAddress.postCode' },
      { message: 'Not sold there.', reference: 'items[0].productUid' },
      { message: 'Try another day.' },
    ];
    expect(formatServiceMessage(refusal({ message: 'Invalid request', details }))).toBe(
      'Invalid request / File address of item 2: Not a PDF. / Postal code: Too long. / Product of item 1: Not sold there. / Try another day.',
    );
  });

  test("the message includes the status and the field at the end of the error's path", () => {
    const details = [{ message: 'Too long.', reference: 'items[0].quantity' }];
    expect(describeRefusal(refusal({ message: 'Invalid', details }, 422))).toEqual({
      field: 'quantity',
      message: 'The print service refused the order with status 422.',
      words: 'Invalid / Quantity of item 1: Too long.',
      data: { status: 422 },
    });
  });
});

test('the description of a failure names the status or states that the service did not respond', () => {
  expect(describeFailure(refusal({}, 500), 'send the order')).toBe(
    'The print service responded with status 500, so Platen could not send the order.',
  );
  const unanswered = toPrintError(CALL, { status: null, code: 'ECONNRESET', written: true }, new Date());
  expect(describeFailure(unanswered, 'send the order')).toBe(
    'The print service did not respond, so Platen could not send the order.',
  );
});
