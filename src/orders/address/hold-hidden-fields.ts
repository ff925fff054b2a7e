import { toHoldResult } from './address-hold.ts';
import type { HoldResult } from './address-hold.ts';
import { nameField } from './name-field.ts';

/** Maps each store field that Platen needs to the print interface's field name, in the order of an address form. */
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
 * Holds an order whose address or email the store partly hides because this app is not approved for protected customer data
 * (docs/rules/shopify.md#protected-customer-data). Returns null if no field that Platen needs is hidden. Platen never replaces a hidden
 * field: the fallback email is for orders without an email, and a hidden second address line may contain the apartment number. A hidden
 * phone does not hold the order, because the phone is optional.
 */
export function holdHiddenFields(protectedFieldsMissing: readonly string[]): HoldResult | null {
  const hidden = [...NEEDED].filter(([name]) => protectedFieldsMissing.includes(name)).map(([, field]) => field);
  const fields = [...new Set(hidden)];
  const [first] = fields;
  if (first === undefined) return null;
  const message = `The store hides this order's ${fields.map(nameField).join(', ')} from Platen, which is not approved for protected customer data.`;
  return toHoldResult('protected_data', first, message);
}
