import { type AddressChange, recordChange } from './address-change.ts';
import { type AddressHold, type HoldResult, holdMissing, holdTooLong } from './address-hold.ts';
import type { PrintInterface } from '../../print/port.ts';
import type { AddressLimits } from '../../print/traits.ts';
import { getTraits } from '../../print/get-traits.ts';
import { checkLocalScript } from './check-local-script.ts';
import { cleanText, MAX_TEXT_LENGTH, textLength } from './clean-text.ts';
import { fitAddressLines } from './fit-address-lines.ts';
import { fitCity } from './fit-city.ts';
import { fitEmail } from './fit-email.ts';
import { fitNames } from './fit-names.ts';
import { fitPhone } from './fit-phone.ts';
import { fitPostCode } from './fit-post-code.ts';
import { fitState } from './fit-state.ts';
import { fitTaxIds, type TaxIds, type TaxIdSources } from './fit-tax-ids.ts';

export type { AddressChange } from './address-change.ts';

/** A shipping address from the store (Shopify's MailingAddress). */
export interface StoreAddress {
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  province: string | null;
  provinceCode: string | null;
  countryCode: string | null;
  zip: string | null;
  phone: string | null;
}

/** An address for the print service (docs/rules/print-interface.md#recipient-address). Optional fields are omitted rather than empty. */
export interface ServiceAddress extends Partial<TaxIds> {
  firstName: string;
  lastName: string;
  companyName?: string;
  addressLine1: string;
  addressLine2?: string;
  city: string;
  postCode: string;
  state?: string;
  country: string;
  email: string;
  phone?: string;
}

/** The input for fitting an address. A Brazilian recipient's tax IDs belong to the order, not to the address. */
export interface FitAddressInput extends TaxIdSources {
  address: StoreAddress;
  email: string | null;
  settings: { fallbackEmail: string | null; postCodePlaceholder: string };
  /** The version of the print interface that receives the address. The default is the current version. */
  version?: PrintInterface;
}

export type FitAddressResult =
  | { ok: true; address: ServiceAddress; changes: AddressChange[] }
  | { ok: false; hold: AddressHold; changes: AddressChange[] };

/**
 * Converts a store's address to one that the print service accepts and lists every change, or returns a hold that names the field to fix.
 * Never truncates text, and never drops text without listing the change. Leaves an address that already fits unchanged. Never throws.
 */
export function fitAddress(input: FitAddressInput): FitAddressResult {
  const changes: AddressChange[] = [];
  const fitted = fitFields(input, getTraits(input.version ?? 'current').addressLimits, changes);
  return 'hold' in fitted ? { ok: false, hold: fitted.hold, changes } : { ok: true, address: fitted, changes };
}

function fitFields(
  input: FitAddressInput,
  limits: AddressLimits,
  changes: AddressChange[],
): ServiceAddress | HoldResult {
  const overlong = holdOverlongFields(input.address, limits);
  if (overlong !== null) return overlong;
  const country = fitCountry(input.address.countryCode, changes);
  if ('hold' in country) return country;
  const recipient = fitRecipient(input, country.country, limits, changes);
  if ('hold' in recipient) return recipient;
  const place = fitPlace(input, country.country, limits, changes);
  if ('hold' in place) return place;
  const asksTaxIds = country.country === 'BR' && limits.taxIds;
  const taxIds: Partial<TaxIds> | HoldResult = asksTaxIds ? fitTaxIds(input, place.state ?? null, changes) : {};
  return 'hold' in taxIds ? taxIds : { ...recipient, ...place, ...country, ...taxIds };
}

type Recipient = Pick<ServiceAddress, 'firstName' | 'lastName' | 'companyName' | 'email' | 'phone'>;

function fitRecipient(
  { address, email, settings }: FitAddressInput,
  country: string,
  limits: AddressLimits,
  changes: AddressChange[],
): Recipient | HoldResult {
  const names = fitNames(address, limits, changes);
  if ('hold' in names) return names;
  const company = fitCompany(address.company, limits, changes);
  if ('hold' in company) return company;
  const mail = fitEmail(email, settings.fallbackEmail, limits.email, changes);
  if ('hold' in mail) return mail;
  return { ...names, ...company, ...mail, ...fitPhone(address.phone, country, limits.phone, changes) };
}

type Place = Pick<ServiceAddress, 'addressLine1' | 'addressLine2' | 'city' | 'postCode' | 'state'>;

function fitPlace(
  { address, settings }: FitAddressInput,
  country: string,
  limits: AddressLimits,
  changes: AddressChange[],
): Place | HoldResult {
  const lines = fitAddressLines(address.address1, address.address2, country, limits.addressLine, changes);
  if ('hold' in lines) return lines;
  const city = fitCity(address.city, country, limits.city, changes);
  if ('hold' in city) return city;
  const foreign = checkLocalScript({ country, ...lines, ...city });
  if (foreign !== null) return foreign;
  const postCode = fitPostCode(address.zip, country, settings.postCodePlaceholder, limits.postCode, changes);
  if ('hold' in postCode) return postCode;
  const state = fitState(address, country, limits, changes);
  return 'hold' in state ? state : { ...lines, ...city, ...postCode, ...state };
}

function fitCountry(countryCode: string | null, changes: AddressChange[]): { country: string } | HoldResult {
  const text = cleanText(countryCode);
  // The store uses ZZ for an unknown country.
  if (!/^[A-Z]{2}$/i.test(text) || /^zz$/i.test(text)) return holdMissing('country');
  const country = text.toUpperCase();
  recordChange(changes, 'country', countryCode, country, 'in uppercase letters');
  return { country };
}

function fitCompany(
  company: string | null,
  limits: AddressLimits,
  changes: AddressChange[],
): { companyName?: string } | HoldResult {
  const companyName = cleanText(company);
  const limit = limits.companyName;
  if (limit === null) {
    recordChange(changes, 'companyName', company, null, 'left out: this version of the interface has no such field');
    return {};
  }
  if (textLength(companyName) > limit) return holdTooLong('companyName', textLength(companyName), limit);
  recordChange(changes, 'companyName', company, companyName, '');
  return companyName === '' ? {} : { companyName };
}

/** Holds an order if one of these fields is longer than MAX_TEXT_LENGTH, because `cleanText` would drop the whole field. */
function holdOverlongFields(address: StoreAddress, limits: AddressLimits): HoldResult | null {
  const fields: [string, string | null, number | null][] = [
    ['firstName', address.firstName, limits.firstName],
    ['lastName', address.lastName, limits.lastName],
    ['companyName', address.company, limits.companyName],
    ['addressLine1', address.address1, limits.addressLine],
    ['addressLine2', address.address2, limits.addressLine],
    ['city', address.city, limits.city],
    ['postCode', address.zip, limits.postCode],
  ];
  for (const [field, text, limit] of fields)
    if (limit !== null && text !== null && text.length > MAX_TEXT_LENGTH)
      return holdTooLong(field, textLength(text), limit);
  return null;
}
