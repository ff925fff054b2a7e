import { z } from 'zod';
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
