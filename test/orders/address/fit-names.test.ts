import { expect, test } from 'vitest';
import type { AddressChange } from '../../../src/orders/address/address-change.ts';
import { getTraits } from '../../../src/print/get-traits.ts';
import { fitNames } from '../../../src/orders/address/fit-names.ts';

function fit(firstName: string | null, lastName: string | null, company: string | null = null) {
  const changes: AddressChange[] = [];
  return { result: fitNames({ firstName, lastName, company }, getTraits('current').addressLimits, changes), changes };
}

test.each([
  ['names that fit stay unchanged', 'Bob', 'Norman', 'Bob', 'Norman'],
  ['names of 25 characters stay unchanged', 'x'.repeat(25), 'y'.repeat(25), 'x'.repeat(25), 'y'.repeat(25)],
  ['the last word replaces a missing last name', 'Mary Ann Evans', null, 'Mary Ann', 'Evans'],
  ['a single word replaces a missing last name', 'Madonna', ' ', 'Madonna', 'Madonna'],
  ['the last name replaces a missing first name', null, 'van der Berg', 'van der Berg', 'van der Berg'],
  ['words become initials', 'Maria Francesca Alessandra Sofia', 'Rossi', 'Maria F A S', 'Rossi'],
  ['punctuation is no initial', 'Alexandria-Philippa (Pippa) Élodie', 'Berg', 'Alexandria-Philippa P É', 'Berg'],
  ['a long first name is split', 'Maximiliana Wilhelmina Augusta Berg', null, 'Maximiliana W A', 'Berg'],
])('%s', (_what, firstName, lastName, first, last) => {
  const { result, changes } = fit(firstName, lastName);
  expect(result).toEqual({ firstName: first, lastName: last });
  expect(changes.map(({ field, from, to }) => [field, from, to])).toEqual(
    [
      ['firstName', firstName, first],
      ['lastName', lastName, last],
    ].filter(([, from, to]) => from !== to),
  );
});

test('an address without a name uses the company as the name', () => {
  expect(fit(null, '', 'Acme Print Works').result).toEqual({ firstName: 'Acme Print', lastName: 'Works' });
  expect(fit(null, null, 'Acme').result).toEqual({ firstName: 'Acme', lastName: 'Acme' });
});

test.each([
  ['a last name over the limit', 'Bob', 'Norman Featherstonehaugh-Fortescue', 'lastName', 34],
  ['a first word over the limit', 'Wolfeschlegelsteinhausenbergerdorff Hans', 'Berg', 'firstName', 40],
  ['initials that do not fit either', 'Wolfeschlegelsteinhausen A B C', 'Berg', 'firstName', 30],
])('an order is held for %s', (_what, firstName, lastName, field, length) => {
  expect(fit(firstName, lastName).result).toMatchObject({
    hold: { code: 'address_too_long', field, length, limit: 25 },
  });
});

test('an order whose address has neither a name nor a company is held', () => {
  expect(fit(null, '\u200b', ' ').result).toMatchObject({
    hold: { code: 'address_missing_field', field: 'firstName' },
  });
});
