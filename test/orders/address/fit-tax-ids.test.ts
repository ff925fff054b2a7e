import { describe, expect, test } from 'vitest';
import type { AddressChange } from '../../../src/orders/address/address-change.ts';
import { fitTaxIds } from '../../../src/orders/address/fit-tax-ids.ts';

const CPF = '529.982.247-25';
const CNPJ = '54.550.752/0001-55';

function fit(notes: Record<string, string>, fields: Record<string, string> = {}, state: string | null = 'SP') {
  const changes: AddressChange[] = [];
  const localizedFields = Object.entries(fields).map(([key, value]) => ({ key, title: '', value, countryCode: 'BR' }));
  const noteAttributes = Object.entries(notes).map(([key, value]) => ({ key, value }));
  return { ids: fitTaxIds({ localizedFields, noteAttributes }, state, changes), changes };
}

describe('tax IDs of a person', () => {
  test.each(['CPF', 'cpf', 'CPF/CNPJ', 'Cpf / Cnpj', 'CNPJ', 'CPF:'])(
    "a person's tax ID is read from the note attribute %s",
    (name) => {
      expect(fit({ [name]: CPF }).ids).toEqual({ federalTaxId: '52998224725' });
      expect(fit({ [name]: CPF }).changes).toMatchObject([{ field: 'federalTaxId', from: CPF, to: '52998224725' }]);
    },
  );

  test.each(['TAX_CREDENTIAL_BR', 'SHIPPING_CREDENTIAL_BR'])('a tax ID is read from the localized field %s', (key) => {
    expect(fit({}, { [key]: '52998224725' })).toEqual({ ids: { federalTaxId: '52998224725' }, changes: [] });
  });

  test("the recipient's ID takes precedence over the payer's ID, and localized fields over note attributes", () => {
    const fields = { TAX_CREDENTIAL_BR: '111.444.777-35', SHIPPING_CREDENTIAL_BR: CPF };
    expect(fit({ CPF: '123.456.789-09' }, fields).ids).toEqual({ federalTaxId: '52998224725' });
  });

  test('a localized field for another country is ignored', () => {
    const localizedFields = [{ key: 'TAX_CREDENTIAL_MX', title: 'CPF', value: CPF, countryCode: 'MX' }];
    expect(fitTaxIds({ localizedFields, noteAttributes: [] }, 'SP', [])).toMatchObject({
      hold: { field: 'federalTaxId' },
    });
  });
});

describe('tax IDs of a company', () => {
  const company = { isBusiness: true, stateTaxId: '110.042.490.114', registrationStateCode: 'SP' };

  test.each(['IE', 'ie', 'Inscrição Estadual', 'inscricao estadual', 'INSCRIÇÃO ESTADUAL'])(
    'a company address is sent with a CNPJ, its state and a state tax ID from the note attribute %s',
    (name) => {
      expect(fit({ CNPJ, [name]: company.stateTaxId }).ids).toEqual({ federalTaxId: '54550752000155', ...company });
    },
  );

  test('an order from a company is held if the state tax ID or the state is missing', () => {
    expect(fit({ CNPJ }).ids).toMatchObject({ hold: { code: 'state_tax_id', field: 'stateTaxId' } });
    expect(fit({ CNPJ, IE: '1' }, {}, null).ids).toMatchObject({
      hold: { code: 'address_missing_field', field: 'registrationStateCode' },
    });
  });
});

test.each([
  ['no ID', {}],
  ['an empty ID', { CPF: ' ' }],
  ['an ID in a note attribute with an unknown name', { Document: CPF }],
  ['a CPF with a wrong check digit', { CPF: '529.982.247-26' }],
  ['a CPF with a wrong length', { CPF: '529.982.247-2' }],
  ['a CPF of one repeated digit', { CPF: '11111111111' }],
  ['a CNPJ with a wrong check digit', { CNPJ: '54.550.752/0001-56' }],
  ['a CNPJ with letters and a wrong check digit', { CNPJ: '12.ABC.345/01DE-36' }],
  ['a CPF followed by a word', { CPF: `${CPF} Bob` }],
  ['a CNPJ with an extra character', { CNPJ: `#${CNPJ}`, IE: '1' }],
])('an order is held for %s', (_what, notes) => {
  expect(fit(notes).ids).toMatchObject({ hold: { code: 'federal_tax_id', field: 'federalTaxId' } });
});
