import { describe, expect, test } from 'vitest';
import type { AddressChange } from '../../../src/orders/address/address-change.ts';
import { fitAddressLines } from '../../../src/orders/address/fit-address-lines.ts';

const LIMIT = 35;

function fit(address1: string | null, address2: string | null, country = 'US') {
  const changes: AddressChange[] = [];
  const result = fitAddressLines(address1, address2, country, LIMIT, changes);
  if ('hold' in result) return { hold: result.hold, changes };
  return { lines: [result.addressLine1, result.addressLine2 ?? null], changes };
}

describe('two address lines are treated as one text that is broken once, at a space', () => {
  test.each([
    ['lines that fit stay unchanged', 'Chestnut Street 92', 'Apt 4', 'Chestnut Street 92', 'Apt 4'],
    ['lines of 35 characters stay unchanged', 'x'.repeat(35), 'y'.repeat(35), 'x'.repeat(35), 'y'.repeat(35)],
    ['a line of 35 emoji stays unchanged', '🏠'.repeat(35), null, '🏠'.repeat(35), null],
    ['an empty line 1 is replaced with line 2', ' ', 'Chestnut Street 92', 'Chestnut Street 92', null],
    ['a long line 2 fills an empty line 1', '', `${'a'.repeat(30)} ${'b'.repeat(30)}`, 'a'.repeat(30), 'b'.repeat(30)],
    ['words move to line 2', 'Hauptallee 12 Hinterhof links oben 3', null, 'Hauptallee 12 Hinterhof links oben', '3'],
    [
      'few words move to line 2',
      `${'a'.repeat(20)} ${'b'.repeat(13)} 3`,
      'bei A',
      `${'a'.repeat(20)} ${'b'.repeat(13)}`,
      '3 bei A',
    ],
    [
      'words move to line 1',
      'Flat 3',
      'Rosewood Manor 118 Kensington Park Rd',
      'Flat 3 Rosewood',
      'Manor 118 Kensington Park Rd',
    ],
    [
      'a word joiner of the store is a break',
      'Avenida Atlantica 1702\u2060 Copacabana Palace',
      null,
      'Avenida Atlantica 1702',
      'Copacabana Palace',
    ],
    [
      'a word joiner is no break in a long line',
      'A\u2060 Praia do Flamengo 154 Apartment Complex',
      null,
      'A Praia do Flamengo 154 Apartment',
      'Complex',
    ],
  ])('%s', (_what, address1, address2, line1, line2) => {
    const { lines, changes } = fit(address1, address2);
    expect(lines).toEqual([line1, line2]);
    expect(changes.map(({ field, from, to }) => [field, from, to])).toEqual(
      [
        ['addressLine1', address1, line1],
        ['addressLine2', address2, line2],
      ].filter(([, from, to]) => from !== to),
    );
  });

  test('the hold names the overlong line', () => {
    expect(fit('Flat 3', 'y'.repeat(36)).hold).toMatchObject({ field: 'addressLine2', length: 36, limit: 35 });
    expect(fit(null, '\u200b').hold).toMatchObject({ code: 'address_missing_field', field: 'addressLine1' });
  });
});

describe('address lines that do not fit after the line break is moved are abbreviated', () => {
  test('only as many words as necessary are abbreviated, starting from the last word', () => {
    const { lines, changes } = fit('1234 Northwest Constitution Boulevard Building 12', 'Apartment 4501 North Tower');
    expect(lines).toEqual(['1234 Northwest Constitution', 'Boulevard Bldg 12 Apt 4501 N Tower']);
    expect(changes).toMatchObject([
      { field: 'addressLine1', why: expect.stringContaining('abbreviated words: 3') },
      { field: 'addressLine2', why: expect.stringContaining('abbreviated words: 3') },
    ]);
  });

  // The filler leaves exactly enough room for the abbreviation, so the order can be sent only if the last word is abbreviated.
  test.each([
    ['US', 'Street', 'St'],
    ['AU', 'crescent,', 'cres,'],
    ['DE', 'Straße', 'Str.'],
    ['FR', 'Boulevard', 'Bd'],
    ['BE', 'Burgemeester', 'Burg.'],
    ['ES', 'Carretera', 'Ctra.'],
    ['BR', 'AVENIDA', 'AV.'],
    ['PT', 'Praça', 'Pç.'],
    ['NL', 'Verdieping', 'Verd.'],
    ['JP', '(Building)', '(Bldg)'],
  ])('in %s, the word %s is abbreviated to %s', (country, word, abbreviation) => {
    const filler = 'x'.repeat(LIMIT - 1 - abbreviation.length);
    expect(fit(`${filler} ${word}`, 'y'.repeat(LIMIT), country).lines).toEqual([
      `${filler} ${abbreviation}`,
      'y'.repeat(LIMIT),
    ]);
  });

  test.each([
    ['US', 'Streetwise'],
    ['DE', 'Street'],
    ['DE', 'Hauptstraße'],
    ['US', 'toString'],
  ])('in %s, the word %s is not abbreviated, and the order is held', (country, word) => {
    const filler = 'x'.repeat(LIMIT - 2);
    expect(fit(`${filler} ${word}`, 'y'.repeat(LIMIT), country).hold).toMatchObject({ field: 'addressLine1' });
  });
});
