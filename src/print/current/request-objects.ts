import { z } from 'zod';
import { stringUpTo, filled, isWithin, listOf } from '../lengths.ts';

// The objects in requests. The schemas are strict, so they allow only the documented fields (docs/rules/print-interface.md#create-order).

/** The currencies of quote and create requests (docs/rules/print-interface.md#create-order). */
const supportedCurrencies: ReadonlySet<string> = new Set(
  [
    'EUR USD JPY BGN CZK DKK GBP HUF PLN RON SEK CHF ISK NOK HRK RUB TRY AUD',
    'BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR CLP AED',
  ].flatMap((line) => line.split(' ')),
);
const COUNTRIES_WITH_STATES = new Set(['AU', 'CA', 'US']);
const LOCAL_LANGUAGE_COUNTRIES = new Set(['CN', 'JP', 'KR', 'RU']);
const MAX_LATIN_LETTERS = 10;
const COUNTRY_CODE_MESSAGE = 'must be an ISO 3166-1 alpha-2 code';
const EMAIL_LENGTH = 254;
const ADDRESS_LINE_LENGTH = 35;
// Longer than any CPF or CNPJ with punctuation.
const TAX_ID_LENGTH = 100;
// The interface's email pattern `^.+@[^"-].+$`, in two parts. As a single pattern, it would take quadratic time.
const EMAIL_START = /^.+@[^"-]./;
const EMAIL_END = /^.*$/;
const PHONE = /^\+?[ ()]*[0-9][0-9 ()]*$/;

/** A required string. */
export const required = filled;

/** A currency that the service supports (ISO 4217). */
export const currencySchema = z
  .string()
  .refine((value) => supportedCurrencies.has(value), 'is not a supported currency');

/** A string of at most `maximum` characters, counted in code points. */
export function limited<Schema extends z.ZodString>(schema: Schema, maximum: number) {
  return schema.check((ctx) => {
    const { value } = ctx;
    if (isWithin(value, maximum)) return;
    const message = `must be at most ${maximum} characters`;
    ctx.issues.push({
      code: 'too_big',
      origin: 'string',
      maximum,
      inclusive: true,
      input: value,
      message,
      continue: true,
    });
  });
}

/**
 * Returns whether a string matches the interface's email pattern, `^.+@[^"-].+$`, in linear time
 * (docs/rules/print-interface.md#email-pattern).
 */
export function isEmail(value: string): boolean {
  // The first part matches up to the last possible `@`. Trying an earlier `@` would not help, because the remainder would still contain the
  // line break that prevents a match.
  const start = EMAIL_START.exec(value);
  return start !== null && EMAIL_END.test(value.slice(start[0].length));
}

/** A country (ISO 3166-1 alpha-2). */
export const countrySchema = stringUpTo(2, COUNTRY_CODE_MESSAGE).regex(/^[A-Z]{2}$/, COUNTRY_CODE_MESSAGE);
/** An email address, checked only by the interface's own pattern. */
export const emailSchema = stringUpTo(EMAIL_LENGTH).refine(isEmail, 'must be an email address');
/** A telephone number (E.123). */
export const phoneSchema = stringUpTo(25).regex(PHONE, 'must be in E.123 format');

/**
 * The recipient of a print order (docs/rules/print-interface.md#recipient-address): `shippingAddress` in a create request, `recipient` in a
 * quote request.
 */
export const shippingAddressSchema = z
  .strictObject({
    firstName: limited(required, 25),
    lastName: limited(required, 25),
    companyName: limited(z.string(), 60).optional(),
    addressLine1: limited(required, ADDRESS_LINE_LENGTH),
    addressLine2: limited(z.string(), ADDRESS_LINE_LENGTH).optional(),
    city: limited(required, 30),
    postCode: limited(required, 15),
    state: limited(z.string(), 35).optional(),
    country: countrySchema,
    email: emailSchema,
    phone: phoneSchema.optional(),
    isBusiness: z.boolean().optional(),
    federalTaxId: z.string().optional(),
    stateTaxId: z.string().optional(),
    registrationStateCode: z.string().optional(),
  })
  .superRefine((address, ctx) => {
    requireState(address, ctx);
    requireLocalLanguage(address, ctx);
    requireTaxIds(address, ctx);
  });

/** Overrides the sender's address on the parcel (docs/rules/print-interface.md#return-address). Every field is optional. */
export const returnAddressSchema = z
  .strictObject({
    companyName: limited(z.string(), 60).optional(),
    addressLine1: limited(z.string(), ADDRESS_LINE_LENGTH).optional(),
    addressLine2: limited(z.string(), ADDRESS_LINE_LENGTH).optional(),
    city: limited(z.string(), 30).optional(),
    postCode: limited(z.string(), 15).optional(),
    state: limited(z.string(), 35).optional(),
    country: countrySchema.optional(),
    email: emailSchema.optional(),
    phone: phoneSchema.optional(),
  })
  .superRefine((address, ctx) => {
    requireState(address, ctx);
    requireLocalLanguage(address, ctx);
  });

/** Free text for an order (docs/rules/print-interface.md#metadata), at most 20 entries. */
export const metadataSchema = listOf(
  z.strictObject({ key: limited(required, 100), value: limited(z.string(), 100) }),
  0,
  20,
);

/** Requires that each `itemReferenceId` be unique within an order or quote (docs/rules/print-interface.md#create-item). */
export function requireUniqueItems(items: { itemReferenceId: string }[], ctx: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { itemReferenceId }] of items.entries()) {
    if (seen.has(itemReferenceId)) {
      ctx.addIssue({ code: 'custom', path: [index, 'itemReferenceId'], message: 'must be unique within the order' });
    }
    seen.add(itemReferenceId);
  }
}

interface AddressFields {
  country?: string | undefined;
  state?: string | undefined;
  addressLine1?: string | undefined;
  addressLine2?: string | undefined;
}

interface TaxFields extends AddressFields {
  isBusiness?: boolean | undefined;
  federalTaxId?: string | undefined;
  stateTaxId?: string | undefined;
  registrationStateCode?: string | undefined;
}

function requireState(address: AddressFields, ctx: z.RefinementCtx): void {
  if (COUNTRIES_WITH_STATES.has(address.country ?? '') && !address.state) {
    ctx.addIssue({ code: 'custom', path: ['state'], message: 'is required for this country' });
  }
}

/**
 * Requires addresses in China, Japan, South Korea and Russia to use the local language, with at most ten Latin letters per line
 * (docs/rules/print-interface.md#local-script).
 */
function requireLocalLanguage(address: AddressFields, ctx: z.RefinementCtx): void {
  if (!LOCAL_LANGUAGE_COUNTRIES.has(address.country ?? '')) return;
  for (const field of ['addressLine1', 'addressLine2'] as const) {
    const line = address[field] ?? '';
    // The schema already rejects a line of this length, so its letters are not counted.
    if (line.length > 2 * ADDRESS_LINE_LENGTH) continue;
    const latin = line.match(/\p{Script=Latin}/gu)?.length ?? 0;
    if (latin > MAX_LATIN_LETTERS) {
      const message = `must be in the local language: at most ${MAX_LATIN_LETTERS} Latin letters`;
      ctx.addIssue({ code: 'custom', path: [field], message });
    }
  }
}

/** Checks Brazil's tax IDs. A person has a CPF (11 digits). A business has a CNPJ (14 characters) and an IE, and requires `isBusiness`. */
function requireTaxIds(address: TaxFields, ctx: z.RefinementCtx): void {
  const issue = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message });
  for (const field of ['stateTaxId', 'registrationStateCode'] as const) {
    if (address[field] && address.isBusiness !== true) issue(field, 'requires isBusiness = true');
  }
  if (address.country !== 'BR') return;
  if (!address.federalTaxId) return issue('federalTaxId', 'is required for Brazil');
  const length = countTaxIdCharacters(address.federalTaxId);
  if (address.isBusiness !== true) {
    if (length === 14) issue('isBusiness', 'must be true when federalTaxId is a CNPJ');
    else if (length !== 11) issue('federalTaxId', 'must be a CPF');
    return;
  }
  if (length !== 14) issue('federalTaxId', 'must be the CNPJ of a business');
  for (const field of ['stateTaxId', 'registrationStateCode'] as const) {
    if (!address[field]) issue(field, 'is required for a business in Brazil');
  }
}

/** Returns the number of characters without punctuation, or 0 if the string is too long to be a tax ID. */
function countTaxIdCharacters(taxId: string): number {
  return taxId.length > TAX_ID_LENGTH ? 0 : taxId.replace(/[^0-9A-Za-z]/g, '').length;
}
