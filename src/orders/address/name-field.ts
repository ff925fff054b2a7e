/** The print interface's address fields, in words that a merchant knows. */
const NAMES: Readonly<Record<string, string>> = {
  firstName: 'first name',
  lastName: 'last name',
  companyName: 'company',
  addressLine1: 'address line 1',
  addressLine2: 'address line 2',
  postCode: 'postal code',
  city: 'city',
  state: 'state',
  country: 'country',
  email: 'email',
  phone: 'phone',
  federalTaxId: 'CPF or CNPJ',
  stateTaxId: 'state tax ID (IE)',
  isBusiness: 'business address',
  shippingAddress: 'shipping address',
};

/** Returns the name of an address field for messages to the merchant. */
export function nameField(field: string): string {
  return NAMES[field] ?? field;
}
