/** What a person can do about each reason for which an address holds its order. */
export const ADDRESS_REMEDIES = {
  address_too_long: 'Shorten this field of the shipping address in your store.',
  address_missing_field: 'Complete this field of the shipping address in your store.',
  local_script:
    'Write the address lines and the city of the shipping address in the script of that country, with at most 10 Latin letters a line and none in the city. Names may stay as they are.',
  federal_tax_id:
    "Ask the buyer for the CPF or CNPJ and add it to the order's additional details under the name CPF or CNPJ.",
  state_tax_id:
    "Ask the buyer for the company's state registration and add it to the order's additional details under the name IE.",
  state_missing: 'Choose the state or province of the shipping address in your store.',
  protected_data:
    'Whoever runs this app has to have it approved for protected customer data, level 2 (name, address, phone and email), in the Partner or Dev Dashboard of Shopify. The order goes on by itself once that is given.',
  email_missing: 'Add an e-mail to the order in your store, or set a fallback e-mail in the settings (fallbackEmail).',
} as const;

type AddressHoldCode = keyof typeof ADDRESS_REMEDIES;

/** Why an address cannot be sent as it is: the interface's field name, its length and limit where these are the reason. */
export interface AddressHold {
  code: AddressHoldCode;
  field: string;
  length?: number;
  limit?: number;
  message: string;
  remedy: string;
}

/** A part of an address that cannot be fitted. */
export interface Held {
  hold: AddressHold;
}

/** A field is over its limit and nothing more can be shortened. Length and limit in code points. */
export function holdTooLong(field: string, length: number, limit: number): Held {
  const message = `The print service takes at most ${limit} characters of ${field}; here it has ${length}.`;
  return { hold: { ...holdFor('address_too_long', field, message).hold, length, limit } };
}

/** A field without which the print service refuses an order is empty. */
export function holdMissing(field: string): Held {
  return holdFor('address_missing_field', field, `The print service requires ${field}, and the address has none.`);
}

/** A hold with its remedy. The message must not quote the address: messages are logged and shown in lists. */
export function holdFor(code: AddressHoldCode, field: string, message: string): Held {
  return { hold: { code, field, message, remedy: ADDRESS_REMEDIES[code] } };
}
