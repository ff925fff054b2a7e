import { expect, test } from 'vitest';
import { holdCodes } from '../../../src/orders/facts/hold-codes.ts';
import { toHoldReason } from '../../../src/orders/store-view/describe-holds.ts';

test('the store shows a wrong address only if the merchant can correct the address', () => {
  const codes = holdCodes.filter((code) => toHoldReason({ code }) === 'INCORRECT_ADDRESS');
  expect(codes.toSorted()).toEqual(['address_missing_field', 'address_too_long', 'local_script', 'no_address']);
});

test.each(['protected_data', 'no_print_account', 'another_app_prints', 'a_new_code'])(
  'the store does not show a hold with the code %s, which no change of the order can resolve',
  (code) => {
    expect(toHoldReason({ code })).toBeNull();
  },
);
