/** A MailingAddressInput of the Admin API. */
type Address = Record<string, string>;

/** A valid address in each of several countries, including a region where the print service requires one. */
const ADDRESSES: Readonly<Record<string, Address>> = {
  US: { address1: '451 Clarkson Ave', city: 'New York', zip: '11203', provinceCode: 'NY', countryCode: 'US' },
  GB: { address1: '12 Cowley Street', city: 'London', zip: 'SW1P 3NA', countryCode: 'GB' },
  DE: { address1: 'Invalidenstr. 44', city: 'Berlin', zip: '10115', countryCode: 'DE' },
  NL: { address1: 'Damrak 70', city: 'Amsterdam', zip: '1012 LM', countryCode: 'NL' },
  CA: { address1: '100 Queen St W', city: 'Toronto', zip: 'M5H 2N2', provinceCode: 'ON', countryCode: 'CA' },
  AU: { address1: '1 Spring St', city: 'Melbourne', zip: '3000', provinceCode: 'VIC', countryCode: 'AU' },
};

/** The destination countries of the run's orders. */
export const countries = Object.keys(ADDRESSES);

/** Returns a buyer's address in one of `countries`. */
export function toAddressOf(country: string, buyer: string): Address {
  return { ...ADDRESSES[country], firstName: 'Marigold', lastName: buyer };
}

/** Returns another address in the same country. */
export function toOtherAddressOf(country: string, buyer: string): Address {
  const address = toAddressOf(country, buyer);
  return { ...address, address1: `7 ${address['address1']}`.slice(0, 35) };
}
