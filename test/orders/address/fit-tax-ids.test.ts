import { describe, expect, test } from 'vitest';
import type { AddressChange } from '../../../src/orders/address/address-change.ts';
import { fitTaxIds } from '../../../src/orders/address/fit-tax-ids.ts';

const CPF = '529.982.247-25';
const CNPJ = '54.550.752/0001-55';
const LETTERED_CNPJ = '12.ABC.345/01DE-35';

function fit(notes: Record<string, string>, fields: Record<string, string> = {}, state: string | null = 'SP') {
  const changes: AddressChange[] = [];
  const localizedFields = Object.entries(fields).map(([key, value]) => ({ key, title: '', value, countryCode: 'BR' }));
  const noteAttributes = Object.entries(notes).map(([key, value]) => ({ key, value }));
  return { ids: fitTaxIds({ localizedFields, noteAttributes }, state, changes), changes };
}

describe('a person', () => {
  test.each(['CPF', 'cpf', 'CPF/CNPJ', 'Cpf / Cnpj', 'CNPJ', 'CPF:'])(
    'is identified by the note attribute %s',
    (name) => {
      expect(fit({ [name]: CPF }).ids).toEqual({ federalTaxId: '52998224725' });
      expect(fit({ [name]: CPF }).changes).toMatchObject([{ field: 'federalTaxId', from: CPF, to: '52998224725' }]);
    },
  );

  test.each(['TAX_CREDENTIAL_BR', 'SHIPPING_CREDENTIAL_BR'])('is identified by the localized field %s', (key) => {
    expect(fit({}, { [key]: '52998224725' })).toEqual({ ids: { federalTaxId: '52998224725' }, changes: [] });
  });

  test('is the recipient rather than the payer, and localized fields take precedence over notes', () => {
    const fields = { TAX_CREDENTIAL_BR: '111.444.777-35', SHIPPING_CREDENTIAL_BR: CPF };
    expect(fit({ CPF: '123.456.789-09' }, fields).ids).toEqual({ federalTaxId: '52998224725' });
  });

  test('a wrong id does not hide a correct one', () => {
    expect(fit({ CPF }, { TAX_CREDENTIAL_BR: '111.111.111-11' }).ids).toEqual({ federalTaxId: '52998224725' });
  });

  test('a field of another country is ignored', () => {
    const localizedFields = [{ key: 'TAX_CREDENTIAL_MX', title: 'CPF', value: CPF, countryCode: 'MX' }];
    expect(fitTaxIds({ localizedFields, noteAttributes: [] }, 'SP', [])).toMatchObject({
      hold: { field: 'federalTaxId' },
    });
  });
});

describe('a company', () => {
  const company = { isBusiness: true, stateTaxId: '110.042.490.114', registrationStateCode: 'SP' };

  test.each(['IE', 'ie', 'Inscrição Estadual', 'inscricao estadual', 'INSCRIÇÃO ESTADUAL'])(
    'has a CNPJ, its state tax id from the note %s, and the state of its address',
    (name) => {
      expect(fit({ CNPJ, [name]: company.stateTaxId }).ids).toEqual({ federalTaxId: '54550752000155', ...company });
    },
  );

  test('may have a CNPJ with letters', () => {
    expect(fit({ CNPJ: LETTERED_CNPJ.toLowerCase(), IE: company.stateTaxId }).ids).toEqual({
      federalTaxId: '12ABC34501DE35',
      ...company,
    });
  });

  test('is held without its state tax id or its state', () => {
    expect(fit({ CNPJ }).ids).toMatchObject({ hold: { code: 'state_tax_id', field: 'stateTaxId' } });
    expect(fit({ CNPJ, IE: '1' }, {}, null).ids).toMatchObject({
      hold: { code: 'state_missing', field: 'registrationStateCode' },
    });
  });

  test('may have its state tax id in a localized field with that title', () => {
    const localizedFields = [
      { key: 'TAX_CREDENTIAL_BR', title: 'CNPJ', value: CNPJ, countryCode: 'BR' },
      { key: 'OTHER_BR', title: 'Inscrição Estadual', value: company.stateTaxId, countryCode: 'BR' },
    ];
    expect(fitTaxIds({ localizedFields, noteAttributes: [] }, 'SP', [])).toMatchObject(company);
  });
});

test.each([
  ['no id at all', {}],
  ['an empty id', { CPF: ' ' }],
  ['an id under another name', { Document: CPF }],
  ['a CPF with a wrong check digit', { CPF: '529.982.247-26' }],
  ['a CPF with a wrong length', { CPF: '529.982.247-2' }],
  ['a CPF of one digit only', { CPF: '11111111111' }],
  ['a CNPJ with a wrong check digit', { CNPJ: '54.550.752/0001-56' }],
  ['a CNPJ with letters and a wrong check digit', { CNPJ: '12.ABC.345/01DE-36' }],
  ['a CPF among other words', { CPF: `${CPF} Bob` }],
  ['a CNPJ among other signs', { CNPJ: `#${CNPJ}`, IE: '1' }],
  ['an id of a megabyte', { CPF: '5'.repeat(1_000_000) }],
])('holds %s', (_what, notes) => {
  expect(fit(notes).ids).toMatchObject({ hold: { code: 'federal_tax_id', field: 'federalTaxId' } });
});
