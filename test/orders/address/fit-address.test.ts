import { describe, expect, test } from 'vitest';
import {
  type AddressChange,
  fitAddress,
  type FitAddressInput,
  type ServiceAddress,
  type StoreAddress,
} from '../../../src/orders/address/fit-address.ts';

const HOME: StoreAddress = {
  firstName: 'Bob',
  lastName: 'Norman',
  company: null,
  address1: 'Chestnut Street 92',
  address2: null,
  city: 'Louisville',
  province: 'Kentucky',
  provinceCode: 'KY',
  countryCode: 'US',
  zip: '40202',
  phone: null,
};

const GERMANY = { province: null, provinceCode: null, countryCode: 'DE', zip: '10115', city: 'Berlin' };

type Extras = Partial<Omit<FitAddressInput, 'address'>>;

function fit(address: Partial<StoreAddress>, extras: Extras = {}) {
  return fitAddress({
    address: { ...HOME, ...address },
    email: 'bob.norman@mail.example.com',
    localizedFields: [],
    noteAttributes: [],
    settings: { fallbackEmail: null, postCodePlaceholder: '00000' },
    ...extras,
  });
}

function fitted(address: Partial<StoreAddress>, extras?: Extras): ServiceAddress {
  const result = fit(address, extras);
  if (!result.ok) throw new Error(`held: ${result.hold.code} ${result.hold.field}`);
  return result.address;
}

function changed(address: Partial<StoreAddress>, extras?: Extras): AddressChange[] {
  return fit(address, extras).changes;
}

function held(address: Partial<StoreAddress>, extras?: Extras) {
  const result = fit(address, extras);
  if (result.ok) throw new Error('not held');
  return result.hold;
}

test('an address that fits is sent unchanged and without empty fields', () => {
  expect(fit({ company: '', address2: '', phone: '' })).toEqual({
    ok: true,
    address: {
      firstName: 'Bob',
      lastName: 'Norman',
      addressLine1: 'Chestnut Street 92',
      city: 'Louisville',
      postCode: '40202',
      state: 'KY',
      country: 'US',
      email: 'bob.norman@mail.example.com',
    },
    changes: [],
  });
});

describe('the characters in a field', () => {
  test.each([
    ['spaces around and between words', '  Chestnut   Street 92 ', 'Chestnut Street 92'],
    ['tabs, line feeds and no-break spaces', 'Chestnut\tStreet\r\n92', 'Chestnut Street 92'],
    ['zero-width characters and direction marks', '\u200eChest\u200bnut\ufeff Street 92\u202c', 'Chestnut Street 92'],
    ['control characters', 'Chestnut\u0000Street\u009f92', 'Chestnut Street 92'],
    ['soft hyphens and filler characters', 'Chest\u00adnut\u3164 Street 92', 'Chestnut Street 92'],
    ['a lone surrogate', 'Chestnut \ud83dStreet 92', 'Chestnut Street 92'],
    ['letters with separate accents', 'Cafe\u0301 Street 92', 'Café Street 92'],
    ["the store's word joiner", 'Chestnut Street,\u206092', 'Chestnut Street, 92'],
    ["the store's word joiner beside a space", 'Chestnut Street, \u206092', 'Chestnut Street, 92'],
  ])('%s are cleaned up, and the change is recorded', (_what, address1, addressLine1) => {
    expect(fitted({ address1 }).addressLine1).toBe(addressLine1);
    expect(changed({ address1 })).toEqual([
      { field: 'addressLine1', from: address1, to: addressLine1, why: 'spaces and invisible characters' },
    ]);
  });

  test('length is counted in code points: a first name may have 25 emoji but not 26', () => {
    expect(fitted({ firstName: '🙂'.repeat(25) }).firstName).toBe('🙂'.repeat(25));
    expect(held({ firstName: '🙂'.repeat(26) })).toMatchObject({ field: 'firstName', length: 26, limit: 25 });
  });
});

describe('limits for the company, city and postal code', () => {
  test('a company name of 60 characters is sent, and a company name of 61 characters is held without being abbreviated', () => {
    expect(fitted({ company: 'x'.repeat(60) }).companyName).toBe('x'.repeat(60));
    const company = `${'x'.repeat(54)} Street`;
    expect(held({ company })).toMatchObject({ code: 'address_too_long', field: 'companyName', length: 61, limit: 60 });
  });

  test.each([
    ['US', 'Winchester-on-the-Severn Junction', 'Winchester-on-the-Severn Jct'],
    ['US', 'North Saint Winchester-on-the-Sea', 'North St Winchester-on-the-Sea'],
    ['FR', 'Saint-Julien-de-Coppel-sur-Loire', 'St-Julien-de-Coppel-sur-Loire'],
    ['DE', 'SANKT ANDREASBERG AM OBEREN HARZ', 'ST. ANDREASBERG AM OBEREN HARZ'],
  ])('in %s, the city %s is abbreviated to %s', (countryCode, city, expected) => {
    expect(fitted({ city, countryCode }).city).toBe(expected);
    expect(changed({ city, countryCode })).toMatchObject([{ field: 'city', from: city, to: expected }]);
  });

  test('a postal code over 15 characters is held', () => {
    expect(held({ zip: '1234567890123456' })).toMatchObject({ field: 'postCode', length: 16, limit: 15 });
  });
});

describe('missing fields', () => {
  test.each([
    ['addressLine1', { address1: ' ', address2: null }],
    ['city', { city: '\u200b' }],
    ['postCode', { zip: null }],
    ['country', { countryCode: null }],
    ['country', { countryCode: 'ZZ' }],
    ['country', { countryCode: 'USA' }],
  ])('an order without the field %s is held', (field, address) => {
    expect(held(address)).toMatchObject({ code: 'address_missing_field', field });
  });

  test.each(['HK', 'AE', 'QA', 'AO', 'MO', 'JM', 'IE'])(
    "an order to %s without a postal code is sent with the shop's placeholder",
    (countryCode) => {
      const extras = { settings: { fallbackEmail: null, postCodePlaceholder: '99999' } };
      expect(fitted({ countryCode, zip: '' }, extras).postCode).toBe('99999');
      expect(changed({ countryCode, zip: '' }, extras)).toMatchObject([
        { field: 'postCode', from: '', to: '99999', why: expect.stringContaining('placeholder') },
      ]);
    },
  );

  test.each(['DE', 'GB', 'FR', 'IN', 'NZ', 'PL', 'CH', 'JE'])('no postal code holds an order to %s', (countryCode) => {
    expect(held({ countryCode, zip: null })).toMatchObject({ code: 'address_missing_field', field: 'postCode' });
  });
});

describe('the state of an address', () => {
  test.each([
    ['US', 'CA', 'California', 'CA'],
    ['US', null, 'California', 'CA'],
    ['US', null, 'new york', 'NY'],
    ['US', 'Washington D.C.', null, 'DC'],
    ['US', 'PR', 'Puerto Rico', 'PR'],
    ['CA', null, 'Québec', 'QC'],
    ['CA', 'on', null, 'ON'],
    ['CA', null, 'Newfoundland', 'NL'],
    ['AU', null, 'New South Wales', 'NSW'],
    ['AU', 'XX', 'Victoria', 'VIC'],
    ['JP', 'JP-13', 'Tokyo', 'JP-13'],
    ['GB', null, 'Greater London', 'Greater London'],
    ['IT', 'RM', 'Roma', 'RM'],
  ])("in %s, the store's state %s or %s is sent as %j", (countryCode, provinceCode, province, state) => {
    const local = countryCode === 'JP' ? { address1: '東京都', city: '千代田区' } : {};
    const address = { countryCode, provinceCode, province, ...local };
    expect(fitted(address).state).toBe(state);
    const from = provinceCode ?? province;
    expect(changed(address)).toMatchObject(from === state ? [] : [{ field: 'state', from, to: state }]);
  });

  test.each([
    ['US', null, null],
    ['US', 'Bavaria', null],
    ['CA', 'TX', null],
    ['AU', 'New South', 'Wales'],
  ])('an order to %s without a valid state (%s, %s) is held', (countryCode, provinceCode, province) => {
    expect(held({ countryCode, provinceCode, province })).toMatchObject({
      code: 'address_missing_field',
      field: 'state',
    });
  });

  test('in a country without state codes, a state of more than 35 characters is omitted, and the change is recorded', () => {
    const province = 'x'.repeat(36);
    const address = { ...GERMANY, province };
    expect(fitted(address)).not.toHaveProperty('state');
    expect(changed(address)).toMatchObject([{ field: 'state', from: province, to: null }]);
    expect(fitted({ ...GERMANY, province: 'x'.repeat(35) }).state).toBe('x'.repeat(35));
    expect(fitted({ ...GERMANY, provinceCode: province, province: 'Hessen' }).state).toBe('Hessen');
  });
});

describe('the email address of an order', () => {
  const settings = { fallbackEmail: 'shop@example.com', postCodePlaceholder: '00000' };

  test.each([null, '', 'bob', 'bob@', '@example.com', 'bob@-example.com', 'bob@"x', `${'x'.repeat(250)}@b.co`])(
    "the shop's fallback replaces the email address %j",
    (email) => {
      expect(fitted({}, { email, settings }).email).toBe('shop@example.com');
      expect(changed({}, { email, settings })).toMatchObject([{ field: 'email', from: email, to: 'shop@example.com' }]);
    },
  );

  test('an order without an email address is held if the fallback is missing or invalid', () => {
    for (const fallbackEmail of [null, 'nobody'])
      expect(held({}, { email: null, settings: { ...settings, fallbackEmail } })).toMatchObject({
        code: 'email_missing',
        field: 'email',
      });
  });
});

describe('addresses in local script', () => {
  const extras = { email: 'a@example.com' };
  const TOKYO = { countryCode: 'JP', province: null, provinceCode: 'JP-13', zip: '100-8111', city: '千代田区' };
  const CHINA = { countryCode: 'CN', province: null, provinceCode: 'CN-BJ', zip: '100000', city: '北京市' };
  const KOREA = { countryCode: 'KR', province: null, provinceCode: 'KR-11', zip: '04524', city: '서울특별시' };
  const RUSSIA = { countryCode: 'RU', province: null, provinceCode: null, zip: '101000', city: 'Москва' };

  test.each([
    ['Japan', { ...TOKYO, address1: '千代田1-1', address2: 'ABCビル 5F' }],
    ['an address in kana in Japan', { ...TOKYO, city: 'さいたま', address1: 'アパート' }],
    ['China', { ...CHINA, address1: '建国路93号 SOHO B座' }],
    ['Korea', { ...KOREA, address1: '세종대로 110', address2: 'A동 101호' }],
    ['Russia', { ...RUSSIA, address1: 'ул. Тверская, д. 7', address2: 'кв. 12' }],
    ['a line with ten Latin letters', { ...RUSSIA, address1: 'Тверская 7', address2: 'ABCDEFGHIJ 1' }],
  ])("an address in the country's script is accepted with a Latin name: %s", (_what, address) => {
    expect(fit(address, extras).ok).toBe(true);
  });

  test.each([
    ['address lines without local script', { ...TOKYO, address1: '1-1', address2: '5F' }, { field: 'addressLine1' }],
    ['a street in Latin script', { ...TOKYO, address1: 'Chiyoda ku Marunouchi' }, { length: 19, limit: 10 }],
    ['11 Latin letters in line 2', { ...CHINA, address1: '路9号', address2: 'ABCDEFGHIJK' }, { field: 'addressLine2' }],
    ['full-width Latin letters', { ...TOKYO, address1: '千代田ＡＢＣＤＥＦＧＨＩＪＫ' }, { length: 11, limit: 10 }],
    ['a Latin letter in the city', { ...KOREA, address1: '세종대로 110', city: '서울 A' }, { field: 'city', limit: 0 }],
    ['a city of digits', { ...RUSSIA, address1: 'Тверская 7', city: '77' }, { field: 'city' }],
    ['the script of another country', { ...KOREA, address1: '千代田1-1' }, { field: 'addressLine1' }],
  ])('an order is held for %s', (_what, address, hold) => {
    expect(held(address, extras)).toMatchObject({ code: 'local_script', ...hold });
  });

  test.each(['HK', 'TW'])('an address in %s may be in Latin script', (countryCode) => {
    expect(fitted({ countryCode, provinceCode: null, province: null }).addressLine1).toBe('Chestnut Street 92');
  });
});

describe('earlier versions of the print interface', () => {
  test.each([
    ['GB', 'v2', false],
    ['BR', 'v2', false],
    ['CL', 'v1', false],
    ['IN', 'v1', false],
    ['CA', 'v2', true],
    ['GB', 'current', true],
    ['IN', 'current', true],
  ] as const)('an order to %s without a state is accepted through the interface %s: %s', (countryCode, version, ok) => {
    expect(fit({ countryCode, province: null, provinceCode: null }, { version }).ok).toBe(ok);
  });
});

test('a hold message does not contain the address', () => {
  const hold = held({ city: 'Verylongcitynamewithoutanyspaceinit' });
  expect(hold.message).toBe(
    'The print service accepts at most 30 characters in the field city, but this address has 35.',
  );
  expect(hold.remedy).toMatch(/^Shorten this field of the shipping address /);
});

test("an order from a company in Brazil is sent with the company's tax IDs and the state of the address", () => {
  const noteAttributes = [
    { key: 'CNPJ', value: '54.550.752/0001-55' },
    { key: 'IE', value: '110042490114' },
  ];
  const address = { provinceCode: 'SP', province: 'São Paulo', countryCode: 'BR', zip: '04538-133' };
  expect(fitted(address, { noteAttributes })).toMatchObject({
    state: 'SP',
    federalTaxId: '54550752000155',
    isBusiness: true,
    stateTaxId: '110042490114',
    registrationStateCode: 'SP',
  });
  expect(fitted({ countryCode: 'DE' }, { noteAttributes })).not.toHaveProperty('federalTaxId');
});
