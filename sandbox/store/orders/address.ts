import { z } from 'zod';
import { UserError } from '../graphql/run-mutation.ts';
import type { Address } from '../state.ts';

const text = z.string().max(255).nullish();

/** Shopify's MailingAddressInput, including deprecated fields. */
export const mailingAddressInputSchema = z.strictObject({
  address1: text,
  address2: text,
  city: text,
  company: text,
  country: text,
  countryCode: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters')
    .nullish(),
  firstName: text,
  lastName: text,
  phone: text,
  province: text,
  provinceCode: text,
  zip: text,
});

export type MailingAddressInput = z.output<typeof mailingAddressInputSchema>;

const MAX_FIELD_LENGTH = 255;
/** The provinces of some countries that require one. */
const PROVINCES: Readonly<Record<string, string>> = {
  AU: 'ACT NSW NT QLD SA TAS VIC WA',
  BR: 'AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO',
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
  US: 'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS FM GU MH MP PW PR VI AA AE AP',
};

/** Returns the address of a mutation as the store saves it. Throws a user error for a field that the store rejects. */
export function toNewAddress(input: MailingAddressInput): Address {
  const refuse = (field: keyof MailingAddressInput, message: string): never => {
    throw new UserError(['shippingAddress', field], message);
  };
  for (const [field, value] of Object.entries(input))
    if ((value ?? '').length > MAX_FIELD_LENGTH)
      refuse(field as keyof MailingAddressInput, `is too long (maximum is ${MAX_FIELD_LENGTH} characters)`);
  const country = input.countryCode ?? null;
  if (country === null || country === 'ZZ') return refuse('countryCode', 'Enter a country/region');
  const provinces = PROVINCES[country]?.split(' ');
  if (provinces && !provinces.includes(input.provinceCode ?? ''))
    refuse('provinceCode', `Province is not valid in ${countryNames.of(country)}`);
  return toAddress(input);
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** Returns an address as the store shows it. Missing fields are null, and a missing country name is derived from its code. */
export function toAddress(input: z.output<typeof mailingAddressInputSchema>): Address {
  const countryCode = input.countryCode ?? null;
  return {
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    company: input.company ?? null,
    address1: input.address1 ?? null,
    address2: input.address2 ?? null,
    city: input.city ?? null,
    province: input.province ?? input.provinceCode ?? null,
    provinceCode: input.provinceCode ?? null,
    country: input.country ?? (countryCode === null ? null : (countryNames.of(countryCode) ?? null)),
    countryCode,
    zip: input.zip ?? null,
    phone: input.phone ?? null,
  };
}

/** Returns the first and last name together, or null if both are missing. */
export function fullName({ firstName, lastName }: Address): string | null {
  return [firstName, lastName].filter((part) => part).join(' ') || null;
}
