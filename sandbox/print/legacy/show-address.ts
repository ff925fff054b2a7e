import type { ShownOrder } from './legacy-orders.ts';

/**
 * Returns the response to `GET /v2/order/{orderReferenceId}/address` (docs/rules/print-interface.md#v2-order-address): the recipient and
 * an ID.
 */
export function showAddress([{ record }]: readonly [ShownOrder, ...ShownOrder[]]) {
  const { shippingAddress } = record.order;
  const { country, postCode, state, orderId: _ofCurrentCalls, ...same } = shippingAddress;
  const { isBusiness: _b, federalTaxId: _f, stateTaxId: _s, registrationStateCode: _r, ...recipient } = same;
  return { ...recipient, countryIsoCode: country, postcode: postCode, stateCode: state };
}
