import { nameField } from './name-field.ts';

/** The remedy for each address problem that holds an order. */
export const ADDRESS_REMEDIES = {
  address_too_long:
    'Shorten this field of the shipping address with "Change the address" or in your store. The order then resumes automatically.',
  address_missing_field:
    'Complete this field of the shipping address with "Change the address" or in your store. The order then resumes automatically.',
  local_script:
    'With "Change the address" or in your store, write the address lines and the city in that country\'s script, with at most 10 Latin letters per line and none in the city. Names may stay unchanged. The order then resumes automatically.',
  federal_tax_id:
    'Ask the buyer for the CPF or CNPJ. Enter it with "Change the address", or add it in your store to the order\'s additional details under the name CPF or CNPJ. The order then resumes automatically.',
  state_tax_id:
    'Ask the buyer for the company\'s state registration. Enter it with "Change the address", or add it in your store to the order\'s additional details under the name IE. The order then resumes automatically.',
  protected_data:
    "This app's operator must get approval for protected customer data, level 2 (name, address, phone and email), in Shopify's Partner or Dev Dashboard. The order then resumes automatically.",
  email_missing:
    'Add an email to the order with "Change the address" or in your store, or enter a fallback email under "Addresses". The order then resumes automatically.',
} as const;

type AddressHoldCode = keyof typeof ADDRESS_REMEDIES;

/**
 * Why an address cannot be sent. `field` is the field's name in the print interface. `length` and `limit` are set if the field is too
 * long.
 */
export interface AddressHold {
  code: AddressHoldCode;
  field: string;
  length?: number;
  limit?: number;
  message: string;
  remedy: string;
}

/** Returned in place of a field's value if the field cannot be sent. */
export interface HoldResult {
  hold: AddressHold;
}

/**
 * Builds the hold for an order in which a field exceeds its limit and cannot be shortened further. `length` and `limit` are in code points.
 */
export function holdTooLong(field: string, length: number, limit: number): HoldResult {
  const message = `The print service accepts at most ${limit} characters in the field ${nameField(field)}, but this address has ${length}.`;
  return { hold: { ...toHoldResult('address_too_long', field, message).hold, length, limit } };
}

/** Builds the hold for an order in which a required field is empty. */
export function holdMissing(field: string): HoldResult {
  return toHoldResult(
    'address_missing_field',
    field,
    `The print service requires the field ${nameField(field)}, but it is empty in this address.`,
  );
}

/** Builds a hold with its remedy. The message must not contain the address, because messages are logged and shown in lists. */
export function toHoldResult(code: AddressHoldCode, field: string, message: string): HoldResult {
  return { hold: { code, field, message, remedy: ADDRESS_REMEDIES[code] } };
}
