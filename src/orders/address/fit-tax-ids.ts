import { cnpj, cpf } from 'cpf-cnpj-validator';
import { type AddressChange, noteChange } from './address-change.ts';
import { type Held, holdFor } from './address-hold.ts';
import { cleanText, foldText } from './clean-text.ts';

/** Where an order has the tax ids of a Brazilian recipient: the store's localized fields, and note attributes. */
export interface TaxIdSources {
  localizedFields: readonly { key: string; title: string; value: string; countryCode: string }[];
  noteAttributes: readonly { key: string; value: string | null }[];
}

/** The tax fields of a Brazilian recipient (docs/rules/print-interface.md#tax-fields). */
export interface TaxIds {
  federalTaxId: string;
  isBusiness?: boolean;
  stateTaxId?: string;
  registrationStateCode?: string;
}

const FEDERAL_NAMES = ['cpf', 'cnpj', 'cpfcnpj'];
const STATE_NAMES = ['ie', 'inscricaoestadual'];

/**
 * The tax ids of a recipient in Brazil: the first valid CPF or CNPJ (with its check digits; also the alphanumeric CNPJ), without
 * punctuation. A CNPJ means a company, which also needs its state tax id and the state of its registration, by default the state of the
 * address. Holds when one of these is missing or wrong.
 */
export function fitTaxIds(sources: TaxIdSources, state: string | null, changes: AddressChange[]): TaxIds | Held {
  const given = federalIds(sources);
  const value = given.find((candidate) => isCompany(candidate) || isPerson(candidate));
  if (value === undefined) return holdFederal(given.length > 0);
  const federalTaxId = plain(value);
  noteChange(changes, 'federalTaxId', value, federalTaxId, 'without its punctuation');
  return isCompany(value) ? fitCompany(sources, federalTaxId, state, changes) : { federalTaxId };
}

function fitCompany(
  sources: TaxIdSources,
  federalTaxId: string,
  state: string | null,
  changes: AddressChange[],
): TaxIds | Held {
  const [value = null] = valuesNamed(sources, STATE_NAMES);
  const stateTaxId = cleanText(value);
  if (stateTaxId === '')
    return holdFor(
      'state_tax_id',
      'stateTaxId',
      'A company in Brazil needs its state tax ID (IE), but the order has none.',
    );
  if (state === null)
    return holdFor(
      'address_missing_field',
      'registrationStateCode',
      'A company in Brazil needs its state, but the address has none.',
    );
  noteChange(changes, 'stateTaxId', value, stateTaxId, '');
  return { federalTaxId, isBusiness: true, stateTaxId, registrationStateCode: state };
}

function federalIds(sources: TaxIdSources): string[] {
  const credentials = ofBrazil(sources).filter((field) => field.key.endsWith('_CREDENTIAL_BR'));
  // SHIPPING_ before TAX_: the recipient's own id comes before the one given for the invoice.
  credentials.sort((a, b) => a.key.localeCompare(b.key));
  return [...credentials.map((field) => field.value), ...valuesNamed(sources, FEDERAL_NAMES)].filter(isFilled);
}

function valuesNamed(sources: TaxIdSources, names: readonly string[]): string[] {
  return [...ofBrazil(sources).map((field) => ({ key: field.title, value: field.value })), ...sources.noteAttributes]
    .filter(({ key }) => names.includes(foldText(cleanText(key)).replace(/[^a-z]/g, '')))
    .map(({ value }) => value)
    .filter(isFilled);
}

function ofBrazil({ localizedFields }: TaxIdSources): TaxIdSources['localizedFields'][number][] {
  return localizedFields.filter((field) => field.countryCode === 'BR');
}

function isFilled(value: string | null): value is string {
  return cleanText(value) !== '';
}

function isCompany(value: string): boolean {
  return cnpj.isValid(plain(value), true);
}

function isPerson(value: string): boolean {
  return cpf.isValid(plain(value), true);
}

function plain(value: string): string {
  return cleanText(value)
    .toUpperCase()
    .replace(/[\s./-]/g, '');
}

function holdFederal(given: boolean): Held {
  const message = given
    ? 'The CPF or CNPJ of the order is invalid: its length or its check digits are wrong.'
    : 'An address in Brazil needs the CPF or CNPJ of its recipient, but the order has none.';
  return holdFor('federal_tax_id', 'federalTaxId', message);
}
