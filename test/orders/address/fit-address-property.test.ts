import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fitAddress,
  type FitAddressInput,
  type FitAddressResult,
  type StoreAddress,
} from '../../../src/orders/address/fit-address.ts';

const LIMITS = {
  firstName: 25,
  lastName: 25,
  companyName: 60,
  addressLine1: 35,
  addressLine2: 35,
  city: 30,
  postCode: 15,
  state: 35,
  country: 2,
  email: 254,
  phone: 25,
} as const;
type Field = keyof typeof LIMITS;
const FIELDS = Object.keys(LIMITS) as Field[];
const REQUIRED: Field[] = ['firstName', 'lastName', 'addressLine1', 'city', 'postCode', 'country', 'email'];
const UNSENDABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('Main', 'Street', 'Saint-Jean', 'Apartment', 'North', '12', 'Boulevard') },
  { weight: 3, arbitrary: fc.stringMatching(/^[A-Za-zäöüß'-]{1,14}$/) },
  { weight: 2, arbitrary: fc.constantFrom('東京都', 'Москва', '서울', 'ＡＢＣ', '１２', '🏠', '👩‍👩‍👧', 'e\u0301', 'ﬁ') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\ud83d', '\udc00', '\u200b', '\u0000', '\u202e', '\u3164', '\ufffe', '\u0301'),
  },
);
const gap = fc.constantFrom(' ', ' ', ' ', '  ', '\u2060', '\u2060 ', '\n', '\u00a0', '');
const text = fc
  .array(fc.tuple(piece, gap), { maxLength: 9 })
  .map((parts) => parts.map(([word, space]) => word + space).join(''));
const field = fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 7, arbitrary: text });
const mostly = (usual: string) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: field });
const countryCode = fc.constantFrom('US', 'CA', 'AU', 'DE', 'FR', 'IT', 'GB', 'HK', 'IE', 'BR', 'JP', 'RU', 'NL', 'us');

const address: fc.Arbitrary<StoreAddress> = fc.record({
  firstName: mostly('Mary Ann'),
  lastName: mostly('Evans'),
  company: mostly('Acme'),
  address1: field,
  address2: field,
  city: mostly('Louisville'),
  province: mostly('Ontario'),
  provinceCode: mostly('NT'),
  countryCode,
  zip: mostly('40202'),
  phone: fc.oneof(field, fc.constantFrom('502-459-2181', '+49 171 1234567 ext 3')),
});

const input: fc.Arbitrary<FitAddressInput> = fc.record({
  address,
  email: mostly('bob@example.com'),
  localizedFields: fc.constant([]),
  noteAttributes: fc.constantFrom([], [{ key: 'CPF', value: '529.982.247-25' }]),
  settings: fc.record({ fallbackEmail: mostly('shop@example.com'), postCodePlaceholder: fc.constant('00000') }),
  version: fc.constantFrom('current', 'v2', 'v1'),
});

/** Returns the store's value for each field of the print interface. */
function given({ address: store, email }: FitAddressInput): Record<Field, string | null> {
  return {
    firstName: store.firstName,
    lastName: store.lastName,
    companyName: store.company,
    addressLine1: store.address1,
    addressLine2: store.address2,
    city: store.city,
    postCode: store.zip,
    state: store.provinceCode || store.province,
    country: store.countryCode,
    email,
    phone: store.phone,
  };
}

function wordsOf(...lines: (string | null | undefined)[]): string[] {
  const visible = lines.map((line) => (line ?? '').replaceAll('\u2060', ' ').replace(/[\p{Cc}\p{Z}\u2800]/gu, ' '));
  const sendable = visible.join(' ').replace(/[\p{Cf}\p{Cs}\p{DI}\p{NChar}]/gu, '');
  return sendable.normalize('NFC').split(' ').filter(Boolean);
}

/** Runs the check on random inputs, and expects enough fitted and held addresses among them. */
function forAll(check: (from: FitAddressInput, result: FitAddressResult) => void): void {
  const seen = { true: 0, false: 0 };
  fc.assert(
    fc.property(input, (from) => {
      const result = fitAddress(from);
      seen[`${result.ok}`] += 1;
      check(from, result);
    }),
    { numRuns: 200 },
  );
  expect(seen.true).toBeGreaterThan(10);
  expect(seen.false).toBeGreaterThan(10);
}

test('a fitted address is complete, within every limit and free of invisible characters and extra spaces', () => {
  forAll((_from, result) => {
    if (!result.ok) return;
    for (const name of FIELDS) {
      const value = result.address[name] ?? null;
      if (REQUIRED.includes(name)) expect(value).toBeTruthy();
      if (value === null) continue;
      expect(Array.from(value).length).toBeLessThanOrEqual(LIMITS[name]);
      expect(value).not.toMatch(UNSENDABLE);
      expect(value).toBe(value.trim().replace(/ {2,}/g, ' ').normalize('NFC'));
      expect(value).not.toBe('');
    }
  });
});

test("each difference from the store's address is recorded once, and nothing else is recorded", () => {
  forAll((from, result) => {
    if (!result.ok) return;
    const before = given(from);
    const differences = FIELDS.filter((name) => (before[name] ?? '') !== (result.address[name] ?? ''));
    const changes = result.changes.filter((change) => change.field !== 'federalTaxId');
    expect(changes.map((change) => change.field).toSorted()).toEqual(differences.toSorted());
    for (const change of changes) {
      expect(change.from).toBe(before[change.field as Field]);
      expect(change.to).toBe(result.address[change.field as Field] ?? null);
      expect(change.why).not.toBe('');
    }
  });
});

test('the words of the address lines stay in order and unchanged, except for recorded abbreviations', () => {
  forAll((from, result) => {
    if (!result.ok) return;
    const before = wordsOf(from.address.address1, from.address.address2);
    const after = wordsOf(result.address.addressLine1, result.address.addressLine2);
    const recorded = result.changes.map((change) => /abbreviated words: (\d+)/.exec(change.why)?.[1] ?? '0');
    const allowed = Math.max(0, ...recorded.map(Number));
    expect(after).toHaveLength(before.length);
    const differing = before.filter((word, index) => word !== after[index]);
    expect(differing.length).toBeLessThanOrEqual(allowed);
  });
});

test.each(['x', '\u0301', '\ud83d', 'Street '])('a megabyte of %j in every field is processed in time', (unit) => {
  const long = unit.repeat(Math.ceil(1_000_000 / unit.length));
  const before = process.threadCpuUsage();
  for (const name of ['firstName', 'address1', 'city', 'province', 'phone', 'zip', 'email', 'note'] as const) {
    const [base] = fc.sample(input, { numRuns: 1, seed: 1 });
    if (base === undefined) throw new Error('no sample');
    fitAddress({
      ...base,
      address: { ...base.address, countryCode: 'BR', address1: '1 Rua', city: 'Rio', [name]: long },
      email: name === 'email' ? long : 'bob@example.com',
      noteAttributes: [{ key: name === 'note' ? long : 'CPF', value: name === 'note' ? long : null }],
      settings: { fallbackEmail: name === 'email' ? long : null, postCodePlaceholder: '00000' },
    });
  }
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(3000);
});
