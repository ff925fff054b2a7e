import { holdFor } from './address-hold.ts';
import type { Held } from './address-hold.ts';

/** The interface's names for the fields that the store hides, in the order in which someone would look for them. */
const NEEDED = new Map([
  ['shippingAddress', 'shippingAddress'],
  ['shippingAddress.firstName', 'firstName'],
  ['shippingAddress.lastName', 'lastName'],
  ['shippingAddress.company', 'companyName'],
  ['shippingAddress.address1', 'addressLine1'],
  ['shippingAddress.address2', 'addressLine2'],
  ['shippingAddress.city', 'city'],
  ['shippingAddress.province', 'state'],
  ['shippingAddress.provinceCode', 'state'],
  ['shippingAddress.zip', 'postCode'],
  ['shippingAddress.countryCodeV2', 'country'],
  ['email', 'email'],
]);

/**
 * Holds an order whose address or email is partly hidden, since this app is not approved for protected customer data
 * (docs/rules/shopify.md#protected-customer-data); null when nothing needed is hidden. Nothing replaces it: the fallback email is for
 * orders without one, and a hidden second address line may name the apartment. A phone number is optional in the interface, so it may be
 * hidden.
 */
export function holdHidden(protectedFieldsMissing: readonly string[]): Held | null {
  const hidden = [...NEEDED].filter(([name]) => protectedFieldsMissing.includes(name)).map(([, field]) => field);
  const fields = [...new Set(hidden)];
  const [first] = fields;
  if (first === undefined) return null;
  const message = `The store hides ${fields.join(', ')} of this order from Platen, which is not approved for protected customer data.`;
  return holdFor('protected_data', first, message);
}
