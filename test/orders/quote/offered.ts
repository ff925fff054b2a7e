import type { ShippingPreference } from '../../../src/orders/facts/shipping-method-rule.ts';
import type { ShippingPolicy } from '../../../src/orders/quote/choose-shipping.ts';
import type { PortMethod } from '../../../src/print/port.ts';

/** Returns a method as a quote offers it. */
export function offered(
  uid: string,
  type: string,
  price: number | string,
  change: Partial<PortMethod> = {},
): PortMethod {
  return {
    shipmentMethodUid: uid,
    name: uid,
    type,
    price,
    currency: 'USD',
    minDeliveryDate: null,
    maxDeliveryDate: null,
    isPrivate: true,
    isBusiness: true,
    incoTerms: null,
    numberOfParcels: 1,
    promise: null,
    ...change,
  };
}

/** A private buyer in the United States who chose standard shipping for one poster. */
export const WISH: ShippingPreference = {
  shippingLines: [{ title: 'Standard', code: 'Standard' }],
  country: 'US',
  isBusiness: false,
  products: [{ sku: 'POSTER', productUid: 'poster', tags: ['Wall art'] }],
  settled: null,
};

/** A shop without rules. */
export const POLICY: ShippingPolicy = { rules: [], currency: 'USD', today: '2026-11-21' };
