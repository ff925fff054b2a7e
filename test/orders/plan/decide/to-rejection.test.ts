import { expect, test } from 'vitest';
import { toRejection } from '../../../../src/orders/plan/decide/to-rejection.ts';

test('a rejection names every line that cannot be printed, and states a common fix once', () => {
  const rejection = toRejection('fo', [
    {
      code: 'no_print_link',
      message: 'The line with SKU A has no print link, so Platen does not know its print product and file.',
    },
    {
      code: 'no_print_link',
      message: 'The line with SKU B has no print link, so Platen does not know its print product and file.',
    },
  ]);
  expect(rejection).toEqual({
    shopifyFulfillmentOrderId: 'fo',
    reason: 'INCORRECT_PRODUCT_INFO',
    message:
      'The line with SKU A has no print link, so Platen does not know its print product and file. ' +
      'The line with SKU B has no print link, so Platen does not know its print product and file. ' +
      'Choose "Link this variant" to link it to a print product and its print file. Platen then automatically replans the orders that were held for this reason. Then request the fulfillment again.',
  });
});

test.each([
  ['not_connected', 'INELIGIBLE_PRODUCT'],
  ['variant_deleted', 'INCORRECT_PRODUCT_INFO'],
  ['print_file_refused', 'INCORRECT_PRODUCT_INFO'],
  ['address_missing_field', 'INCORRECT_ADDRESS'],
  ['federal_tax_id', 'MISSING_CUSTOMS_INFO'],
  ['email_missing', 'INVALID_CONTACT_INFORMATION'],
  ['pickup_point', 'UNDELIVERABLE_DESTINATION'],
])('a hold with the code %s becomes a rejection with the reason %s', (code, reason) => {
  expect(toRejection('fo', [{ code, message: 'It does not fit.' }])).toMatchObject({ reason });
});

test.each(['no_print_account', 'another_app_prints', 'needs_approval', 'held_by_hand', 'high_risk', 'protected_data'])(
  'a hold with the code %s does not cause a rejection, so the request waits',
  (code) => {
    expect(toRejection('fo', [{ code, message: 'Waits.' }])).toBeNull();
  },
);
