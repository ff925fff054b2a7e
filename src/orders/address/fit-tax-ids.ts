import { cnpj, cpf } from 'cpf-cnpj-validator';
import { type AddressChange, recordChange } from './address-change.ts';
import { type HoldResult, toHoldResult } from './address-hold.ts';
import { cleanText, foldText } from './clean-text.ts';

/** The parts of an order that may contain a Brazilian recipient's tax IDs: the store's localized fields and the note attributes. */
export interface TaxIdSources {
  localizedFields: readonly { key: string; title: string; value: string; countryCode: string }[];
  noteAttributes: readonly { key: string; value: string | null }[];
}

/** A Brazilian recipient's tax fields (docs/rules/print-interface.md#tax-fields). */
export interface TaxIds {
  federalTaxId: string;
  isBusiness?: boolean;
  stateTaxId?: string;
  registrationStateCode?: string;
}

const FEDERAL_NAMES = ['cpf', 'cnpj', 'cpfcnpj'];
const STATE_NAMES = ['ie', 'inscricaoestadual'];

/**
 * Finds the tax IDs of a recipient in Brazil: the first CPF or CNPJ with valid check digits, without punctuation. An alphanumeric CNPJ is
 * also valid. A CNPJ identifies a company. A company also needs a state tax ID and a state of registration. Platen sends the address's
 * state as the state of registration. Holds the order if a required value is missing or the CPF or CNPJ is invalid.
 */
export function fitTaxIds(sources: TaxIdSources, state: string | null, changes: AddressChange[]): TaxIds | HoldResult {
  const given = federalIds(sources);
  const value = given.find((candidate) => isCompany(candidate) || isPerson(candidate));
  if (value === undefined) return holdFederal(given.length > 0);
  const federalTaxId = normalizeTaxId(value);
  recordChange(changes, 'federalTaxId', value, federalTaxId, 'without punctuation');
  return isCompany(value) ? fitCompany(sources, federalTaxId, state, changes) : { federalTaxId };
}

function fitCompany(
  sources: TaxIdSources,
  federalTaxId: string,
  state: string | null,
  changes: AddressChange[],
): TaxIds | HoldResult {
  const [value = null] = readValuesNamed(sources, STATE_NAMES);
  const stateTaxId = cleanText(value);
  if (stateTaxId === '')
    return toHoldResult(
      'state_tax_id',
      'stateTaxId',
      'An order from a company in Brazil needs a state tax ID (IE), but this order has none.',
    );
  if (state === null)
    return toHoldResult(
      'address_missing_field',
      'registrationStateCode',
      'An order from a company in Brazil needs a state, but the address has none.',
    );
  recordChange(changes, 'stateTaxId', value, stateTaxId, '');
  return { federalTaxId, isBusiness: true, stateTaxId, registrationStateCode: state };
}

function federalIds(sources: TaxIdSources): string[] {
  const credentials = findBrazilianFields(sources).filter((field) => field.key.endsWith('_CREDENTIAL_BR'));
  // SHIPPING_ sorts before TAX_, so the recipient's own ID takes precedence over the ID for the invoice.
  credentials.sort((a, b) => a.key.localeCompare(b.key));
  return [...credentials.map((field) => field.value), ...readValuesNamed(sources, FEDERAL_NAMES)].filter(isFilled);
}

function readValuesNamed(sources: TaxIdSources, names: readonly string[]): string[] {
  return [
    ...findBrazilianFields(sources).map((field) => ({ key: field.title, value: field.value })),
    ...sources.noteAttributes,
  ]
    .filter(({ key }) => names.includes(foldText(cleanText(key)).replace(/[^a-z]/g, '')))
    .map(({ value }) => value)
    .filter(isFilled);
}

function findBrazilianFields({ localizedFields }: TaxIdSources): TaxIdSources['localizedFields'][number][] {
  return localizedFields.filter((field) => field.countryCode === 'BR');
}

function isFilled(value: string | null): value is string {
  return cleanText(value) !== '';
}

function isCompany(value: string): boolean {
  return cnpj.isValid(normalizeTaxId(value), true);
}

function isPerson(value: string): boolean {
  return cpf.isValid(normalizeTaxId(value), true);
}

function normalizeTaxId(value: string): string {
  return cleanText(value)
    .toUpperCase()
    .replace(/[\s./-]/g, '');
}

function holdFederal(given: boolean): HoldResult {
  const message = given
    ? "The order's CPF or CNPJ is invalid: its length or its check digits are wrong."
    : "An order to Brazil needs the recipient's CPF or CNPJ, but this order has none.";
  return toHoldResult('federal_tax_id', 'federalTaxId', message);
}
