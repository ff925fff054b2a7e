import { z } from 'zod';
import type { OrderCorrection } from '../../../shopify/calls/order-address.ts';
import { plainText } from '../../../shops/settings/setting-types.ts';
import { isCountry } from '../../../shops/settings/shipping-rules.ts';
import { cleanText, foldText } from '../../address/clean-text.ts';
import { findProvinceCode } from '../../address/find-province-code.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** The store's maximum length of an address field, in characters. */
const LONGEST = 255;
const text = z.string('must be text').trim().max(LONGEST, `must be at most ${LONGEST} characters`);

/**
 * The fields that the merchant may correct, with their names in the print interface. All are required. An empty text means that the order
 * has no value for the field.
 */
export const addressSchema = z.strictObject({
  firstName: text,
  lastName: text,
  companyName: text,
  addressLine1: text,
  addressLine2: text,
  city: text,
  /** The code or the name of the state or province. */
  state: text,
  postCode: text,
  /** ISO 3166-1 alpha-2. */
  country: text.toUpperCase().refine(isCountry, 'must be a country code such as DE'),
  phone: text,
  email: text,
  /** A CPF or CNPJ to add to the order. If empty, the order's tax IDs stay unchanged. */
  federalTaxId: plainText(LONGEST).or(z.literal('')),
  /** A Brazilian state registration to add to the order. If empty, the order's tax IDs stay unchanged. */
  stateTaxId: plainText(LONGEST).or(z.literal('')),
});
export type AddressForm = z.output<typeof addressSchema>;

/** Maps the last part of a path in the store's user errors to the form's field. */
const FIELDS: Readonly<Record<string, keyof AddressForm>> = {
  firstName: 'firstName',
  lastName: 'lastName',
  company: 'companyName',
  address1: 'addressLine1',
  address2: 'addressLine2',
  city: 'city',
  province: 'state',
  provinceCode: 'state',
  zip: 'postCode',
  country: 'country',
  countryCode: 'country',
  phone: 'phone',
  email: 'email',
  customAttributes: 'federalTaxId',
};

/** Returns the form's field for the path of a field in the store, or `addressLine1` if no part of the path names a field of the form. */
export function toFormField(path: string | null): keyof AddressForm {
  const names = (path ?? '').split('.').toReversed();
  return names.map((name) => FIELDS[toCamelCase(name)]).find((field) => field !== undefined) ?? 'addressLine1';
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Fills the form with the order's data from the store. The tax IDs stay empty. Pure. */
export function toAddressForm({ shippingAddress: address, email }: StoreReading): AddressForm {
  const { firstName, lastName, company, address1, address2, city, province, provinceCode, zip, phone } = address ?? {};
  return {
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    companyName: company ?? '',
    addressLine1: address1 ?? '',
    addressLine2: address2 ?? '',
    city: city ?? '',
    state: provinceCode || province || '',
    postCode: zip ?? '',
    country: address?.countryCodeV2 ?? '',
    phone: phone ?? '',
    email: email ?? '',
    federalTaxId: '',
    stateTaxId: '',
  };
}

/** Returns the reading as it would be after the form is written to the store. Pure. */
export function withAddress(reading: StoreReading, form: AddressForm): StoreReading {
  const { shippingAddress: address, email = reading.email, customAttributes } = toCorrection(reading, form);
  return {
    ...reading,
    email,
    customAttributes: customAttributes ?? reading.customAttributes,
    shippingAddress: {
      ...address,
      province: form.state || null,
      countryCodeV2: address.countryCode,
    },
  };
}

/**
 * Returns the values to write to the store: always the whole address, but the email and the custom attributes only if they change. Pure.
 */
export function toCorrection(reading: StoreReading, form: AddressForm): OrderCorrection {
  const orNull = (value: string): string | null => (value === '' ? null : value);
  const added = toTaxAttributes(form);
  return {
    shippingAddress: {
      firstName: orNull(form.firstName),
      lastName: orNull(form.lastName),
      company: orNull(form.companyName),
      address1: orNull(form.addressLine1),
      address2: orNull(form.addressLine2),
      city: orNull(form.city),
      provinceCode: findProvinceCode(form.country, form.state) ?? orNull(form.state),
      countryCode: form.country,
      zip: orNull(form.postCode),
      phone: orNull(form.phone),
    },
    ...(form.email === (reading.email ?? '') ? {} : { email: orNull(form.email) }),
    ...(added.length === 0 ? {} : { customAttributes: [...listKeptAttributes(reading, added), ...added] }),
  };
}

type Attribute = NonNullable<OrderCorrection['customAttributes']>[number];

function toTaxAttributes({ federalTaxId, stateTaxId }: AddressForm): Attribute[] {
  return [
    { key: 'CPF/CNPJ', value: federalTaxId },
    { key: 'IE', value: stateTaxId },
  ].filter(({ value }) => value !== '');
}

/** Returns the order's custom attributes that stay unchanged. They must be sent too, because the store replaces the whole list. */
function listKeptAttributes({ customAttributes }: StoreReading, replaced: readonly Attribute[]): Attribute[] {
  const nameOf = (key: string): string => foldText(cleanText(key)).replace(/[^a-z]/g, '');
  const names = new Set(replaced.map(({ key }) => nameOf(key)));
  return customAttributes
    .filter(({ key }) => !names.has(nameOf(key)))
    .map(({ key, value }) => ({ key, value: value ?? '' }));
}
