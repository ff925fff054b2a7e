import { describe, expect, test } from 'vitest';
import { planOrder } from '../../../src/orders/plan/decide/plan-order.ts';
import type { StoreReading } from '../../../src/orders/facts/store-reading.ts';
import { toRecipient } from '../../../src/orders/plan/decide/to-recipient.ts';
import { planInput } from '../plan/plan-input.ts';

const shop = { contactEmail: 'hello@shop.example' };
const shippingAddress = {
  firstName: 'Ada',
  lastName: 'Miller',
  company: null,
  address1: '233 South Wacker Drive',
  address2: null,
  city: 'Chicago',
  province: 'Illinois',
  provinceCode: 'IL',
  countryCodeV2: 'US',
  zip: '60606',
  phone: '+1 312 555 0123',
};

/** Plans an order in which Shopify hides these fields, so that they arrive empty. */
function planWithout(hidden: string[], order: Partial<StoreReading> = {}) {
  const empty = Object.fromEntries(
    hidden.flatMap((name) => (name.startsWith('shippingAddress.') ? [[name.slice(16), null]] : [])),
  );
  const reading = {
    email: hidden.includes('email') ? null : 'ada@example.com',
    shippingAddress: hidden.includes('shippingAddress') ? null : { ...shippingAddress, ...empty },
    protectedFieldsMissing: hidden,
    ...order,
  };
  const input = planInput(reading);
  const settings = { ...input.settings, fallbackEmail: shop.contactEmail };
  const recipient = toRecipient(input.order, shop, settings);
  return { recipient, plan: planOrder({ ...input, settings, recipient }) };
}

describe('orders with customer data that Shopify hides', () => {
  test.each([
    [['shippingAddress.zip'], 'postCode', ['postal code']],
    [['shippingAddress'], 'shippingAddress', ['shipping address']],
    [['email'], 'email', ['email']],
    [['shippingAddress.address2'], 'addressLine2', ['address line 2']],
    [
      ['email', 'shippingAddress.address1', 'shippingAddress.lastName', 'shippingAddress.firstName'],
      'firstName',
      ['first name', 'last name', 'address line 1', 'email'],
    ],
  ])('an order with the hidden fields %j is held and not printed', (hidden, field, fields) => {
    const { plan } = planWithout(hidden);
    expect(plan.wanted).toEqual([]);
    expect(plan.holds).toMatchObject([{ code: 'protected_data', field, shopifyFulfillmentOrderId: null }]);
    expect(plan.holds[0]?.message).toContain(fields.join(', '));
    expect(plan.holds[0]?.message).toMatch(/not approved for protected customer data/);
  });

  test('an order with a hidden phone number is printed without the number, and the change is recorded', () => {
    const { plan, recipient } = planWithout(['shippingAddress.phone']);
    expect(plan.holds).toEqual([]);
    expect(plan.wanted).toHaveLength(1);
    expect(recipient).toMatchObject({ ok: true, changes: [{ field: 'phone', to: null }] });
    expect(recipient?.ok && recipient.address).not.toHaveProperty('phone');
  });

  test('an order is printed if only the customer is hidden', () => {
    expect(planWithout(['customer']).plan.wanted).toHaveLength(1);
  });
});
