import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createOrderRequestSchema } from '../../src/print/current/orders-v3.ts';
import {
  patchOrderRequestSchema,
  quoteRequestSchema,
  searchOrdersRequestSchema,
} from '../../src/print/current/orders-v4.ts';
import { parseTimestamp } from '../../src/print/parse-timestamp.ts';
import { returnAddressSchema, shippingAddressSchema } from '../../src/print/current/request-objects.ts';
import { createRequest, quoteRequest } from './servers.ts';

const address = createRequest.shippingAddress;
const elsewhere = { ...address, country: 'DE', state: undefined };
const returnAddress = { companyName: 'Shop', country: 'DE' };

/** Returns the paths at which a schema reports errors. */
function faults(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return error?.issues.map(({ path }) => z.core.toDotPath(path)) ?? [];
}

describe('the length limits in code points', () => {
  const limits: [string, number][] = [
    ['firstName', 25],
    ['lastName', 25],
    ['companyName', 60],
    ['addressLine1', 35],
    ['addressLine2', 35],
    ['city', 30],
    ['postCode', 15],
    ['state', 35],
  ];
  test.each(limits)('%s accepts %i characters but refuses one more', (field, limit) => {
    for (const character of ['x', 'é', '字', '😀', '𝒳']) {
      expect(faults(shippingAddressSchema, { ...address, [field]: character.repeat(limit) })).toEqual([]);
      expect(faults(shippingAddressSchema, { ...address, [field]: character.repeat(limit + 1) })).toEqual([field]);
    }
    if (field === 'firstName' || field === 'lastName') return;
    expect(faults(returnAddressSchema, { ...returnAddress, [field]: '😀'.repeat(limit) })).toEqual([]);
    expect(faults(returnAddressSchema, { ...returnAddress, [field]: '😀'.repeat(limit + 1) })).toEqual([field]);
  });

  test('metadata accepts 20 entries of 100 characters', () => {
    const entry = { key: '😀'.repeat(100), value: '😀'.repeat(100) };
    const withMetadata = (metadata: unknown) => faults(createOrderRequestSchema, { ...createRequest, metadata });
    expect(withMetadata(Array.from({ length: 20 }, () => entry))).toEqual([]);
    expect(withMetadata(Array.from({ length: 21 }, () => entry))).toEqual(['metadata']);
    expect(withMetadata([{ ...entry, key: 'x'.repeat(101) }])).toEqual(['metadata[0].key']);
    expect(withMetadata([entry, { ...entry, value: 'x'.repeat(101) }])).toEqual(['metadata[1].value']);
    expect(withMetadata([{ key: 'a' }])).toEqual(['metadata[0].value']);
    expect(withMetadata([{ ...entry, extra: 'x' }])).toEqual(['metadata[0]']);
  });

  test('all errors in a request are reported together', () => {
    const bad = { ...address, firstName: 'x'.repeat(26), city: 'x'.repeat(31), state: undefined, phone: 'call me' };
    expect(faults(createOrderRequestSchema, { ...createRequest, shippingAddress: bad }).toSorted()).toEqual([
      'shippingAddress.city',
      'shippingAddress.firstName',
      'shippingAddress.phone',
      'shippingAddress.state',
    ]);
  });

  test('a string of many megabytes is refused quickly', () => {
    const started = performance.now();
    for (const text of [
      'x'.repeat(5e6),
      '@'.repeat(5e6),
      '😀'.repeat(2e6),
      `${'a@'.repeat(2e6)}\n`,
      '0'.repeat(5e6),
      ' '.repeat(5e6),
    ]) {
      for (const field of ['firstName', 'email', 'phone', 'country']) {
        expect(faults(shippingAddressSchema, { ...address, [field]: text })).toContain(field);
      }
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('an address in a request', () => {
  test.each(['firstName', 'lastName', 'addressLine1', 'city', 'postCode', 'country', 'email'])(
    'an address without the field %s is rejected',
    (field) => {
      expect(faults(shippingAddressSchema, { ...address, [field]: undefined })).toContain(field);
      expect(faults(shippingAddressSchema, { ...address, [field]: '' })).toContain(field);
    },
  );

  test.each(['AU', 'CA', 'US'])('an address in %s needs a state, but an address in Germany does not', (country) => {
    for (const state of [undefined, '']) {
      expect(faults(shippingAddressSchema, { ...address, country, state })).toEqual(['state']);
      expect(faults(returnAddressSchema, { ...returnAddress, country, state })).toEqual(['state']);
      expect(faults(shippingAddressSchema, { ...address, country: 'DE', state })).toEqual([]);
    }
    expect(faults(shippingAddressSchema, { ...address, country, state: 'NY' })).toEqual([]);
  });

  test.each(['us', 'USA', 'U', '', 'U1', 'US\n', ' US'])('an address with the country %j is rejected', (country) => {
    expect(faults(shippingAddressSchema, { ...address, country })).toContain('country');
    expect(faults(returnAddressSchema, { country })).toContain('country');
  });

  test.each([
    ['paul@example.com', true],
    ['a@b.c', true],
    ['ö@exämple.de', true],
    ['two@ats@example.com', true],
    [`${'a'.repeat(242)}@example.com`, true],
    [`${'a'.repeat(243)}@example.com`, false],
    ['paul', false],
    ['@example.com', false],
    ['paul@', false],
    ['paul@x', false],
    ['paul@"x.com', false],
    ['paul@-x.com', false],
    ['paul@example.com\n', false],
    ['', false],
  ])('an address with the email address %s is allowed: %j', (email, allowed) => {
    expect(faults(shippingAddressSchema, { ...address, email })).toEqual(allowed ? [] : ['email']);
    expect(faults(returnAddressSchema, { email })).toEqual(allowed ? [] : ['email']);
  });

  test.each([
    ['123456789', true],
    ['+47 939 78 761', true],
    ['(0607) 123 4567', true],
    ['+1 212 555 0100', true],
    ['+123456789012345678901234', true],
    ['+1234567890123456789012345', false],
    ['+1 212 555 0100 ext. 5', false],
    ['call me', false],
    ['+', false],
    [' ', false],
    ['1+2', false],
    ['', false],
  ])('an address with the phone number %j is allowed: %j', (phone, allowed) => {
    expect(faults(shippingAddressSchema, { ...address, phone })).toEqual(allowed ? [] : ['phone']);
    expect(faults(returnAddressSchema, { phone })).toEqual(allowed ? [] : ['phone']);
  });

  test.each(['CN', 'JP', 'KR', 'RU'])('an address line in %s has at most ten Latin letters', (country) => {
    const local = { ...elsewhere, country, addressLine1: '北京市 Building A', addressLine2: 'abcdefghij 1-2-3' };
    expect(faults(shippingAddressSchema, local)).toEqual([]);
    expect(faults(shippingAddressSchema, { ...local, addressLine1: '北京市 Building AB' })).toEqual([]);
    expect(faults(shippingAddressSchema, { ...local, addressLine1: 'Building ABC' })).toEqual(['addressLine1']);
    expect(faults(shippingAddressSchema, { ...local, addressLine2: 'Ächterstraße 12' })).toEqual(['addressLine2']);
    expect(faults(returnAddressSchema, { country, addressLine1: 'Long Latin Road' })).toEqual(['addressLine1']);
  });

  test('a return address may be empty and has no tax IDs', () => {
    expect(faults(returnAddressSchema, {})).toEqual([]);
    for (const field of ['isBusiness', 'federalTaxId', 'stateTaxId', 'registrationStateCode', 'firstName']) {
      expect(returnAddressSchema.safeParse({ ...returnAddress, [field]: 'x' }).error?.issues).toMatchObject([
        { keys: [field] },
      ]);
    }
  });
});

describe('the tax IDs of Brazil', () => {
  const person = { ...address, country: 'BR', federalTaxId: '123.456.789-09' };
  const business = {
    ...person,
    isBusiness: true,
    federalTaxId: '12.345.678/0001-95',
    stateTaxId: '110.042.490.114',
    registrationStateCode: 'SP',
  };
  test.each([
    ['a person with a CPF', person, []],
    ['a person explicitly marked as not a business', { ...person, isBusiness: false }, []],
    ['no tax ID', { ...person, federalTaxId: undefined }, ['federalTaxId']],
    ['a tax ID of an unknown format', { ...person, federalTaxId: '1234' }, ['federalTaxId']],
    ['a CNPJ but no business flag', { ...person, federalTaxId: business.federalTaxId }, ['isBusiness']],
    ['a business', business, []],
    ['a business with a CNPJ that contains letters', { ...business, federalTaxId: '12.ABC.345/01DE-35' }, []],
    ['a business with a CPF', { ...business, federalTaxId: person.federalTaxId }, ['federalTaxId']],
    ['a business without a CNPJ', { ...business, federalTaxId: undefined }, ['federalTaxId']],
    ['a business without an IE', { ...business, stateTaxId: undefined }, ['stateTaxId']],
    [
      'a business without a registration state',
      { ...business, registrationStateCode: undefined },
      ['registrationStateCode'],
    ],
    [
      'a person with an IE',
      { ...person, stateTaxId: '1', registrationStateCode: 'SP' },
      ['stateTaxId', 'registrationStateCode'],
    ],
    ['a state tax ID outside Brazil', { ...elsewhere, stateTaxId: '1' }, ['stateTaxId']],
    ['a tax ID outside Brazil', { ...elsewhere, federalTaxId: '1' }, []],
    ['a business outside Brazil', { ...elsewhere, isBusiness: true }, []],
  ])('the tax IDs in an address are checked: %s', (_title, recipient, expected) => {
    expect(faults(shippingAddressSchema, recipient)).toEqual(expected);
    expect(faults(quoteRequestSchema, { ...quoteRequest, recipient })).toEqual(
      expected.map((field) => `recipient.${field}`),
    );
  });
});

describe('the create and quote requests', () => {
  const item = createRequest.items[0]!;
  const product = quoteRequest.products[0]!;
  const listed =
    'EUR USD JPY BGN CZK DKK GBP HUF PLN RON SEK CHF ISK NOK HRK RUB TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR CLP AED';

  test('create and quote requests accept the listed currencies and no others', () => {
    for (const currency of listed.split(' ')) {
      expect(faults(createOrderRequestSchema, { ...createRequest, currency })).toEqual([]);
      expect(faults(quoteRequestSchema, { ...quoteRequest, currency })).toEqual([]);
    }
    for (const currency of ['usd', 'TWD', 'XXX', '', ' USD', null]) {
      expect(faults(createOrderRequestSchema, { ...createRequest, currency })).toEqual(['currency']);
      expect(faults(quoteRequestSchema, { ...quoteRequest, currency })).toEqual(['currency']);
    }
  });

  test.each(['orderReferenceId', 'customerReferenceId', 'currency'])('create and quote requests need %s', (field) => {
    expect(faults(createOrderRequestSchema, { ...createRequest, [field]: undefined })).toEqual([field]);
    expect(faults(createOrderRequestSchema, { ...createRequest, [field]: '' })).toEqual([field]);
    expect(faults(quoteRequestSchema, { ...quoteRequest, [field]: undefined })).toEqual([field]);
  });

  test('create and quote requests need items with a quantity of at least one and a unique reference', () => {
    for (const [change, path] of [
      [{ quantity: 0 }, '[0].quantity'],
      [{ quantity: -1 }, '[0].quantity'],
      [{ quantity: 1.5 }, '[0].quantity'],
      [{ quantity: '1' }, '[0].quantity'],
      [{ quantity: undefined }, '[0].quantity'],
      [{ itemReferenceId: '' }, '[0].itemReferenceId'],
      [{ itemReferenceId: 1 }, '[0].itemReferenceId'],
      [{ productUid: undefined }, '[0].productUid'],
      [{ pageCount: 1.5 }, '[0].pageCount'],
      [{ novelty: 1 }, '[0]'],
    ] as const) {
      expect(faults(createOrderRequestSchema, { ...createRequest, items: [{ ...item, ...change }] })).toEqual([
        `items${path}`,
      ]);
      expect(faults(quoteRequestSchema, { ...quoteRequest, products: [{ ...product, ...change }] })).toEqual([
        `products${path}`,
      ]);
    }
    for (const items of [
      [item, { ...item }],
      [item, { ...item, itemReferenceId: 'b' }, item],
    ]) {
      const products = items.map(({ itemReferenceId }) => ({ ...product, itemReferenceId }));
      const last = items.length - 1;
      expect(faults(createOrderRequestSchema, { ...createRequest, items })).toEqual([`items[${last}].itemReferenceId`]);
      expect(faults(quoteRequestSchema, { ...quoteRequest, products })).toEqual([`products[${last}].itemReferenceId`]);
    }
    expect(faults(createOrderRequestSchema, { ...createRequest, items: [] })).toEqual(['items']);
    expect(faults(quoteRequestSchema, { ...quoteRequest, products: [] })).toEqual(['products']);
  });

  test('create and quote requests accept HTTP and HTTPS print files', () => {
    for (const [url, allowed] of [
      ['https://files.example/a.pdf?dl=1', true],
      ['http://files.example/a.pdf', true],
      ['ftp://files.example/a.pdf', false],
      ['javascript:alert(1)', false],
      ['files/a.pdf', false],
      ['', false],
    ] as const) {
      const items = [{ ...item, fileUrl: url }];
      expect(faults(createOrderRequestSchema, { ...createRequest, items })).toEqual(
        allowed ? [] : ['items[0].fileUrl'],
      );
      const products = [{ ...product, files: [{ type: 'default', url }] }];
      expect(faults(quoteRequestSchema, { ...quoteRequest, products })).toEqual(
        allowed ? [] : ['products[0].files[0].url'],
      );
    }
    expect(faults(createOrderRequestSchema, { ...createRequest, items: [{ ...item, fileUrl: undefined }] })).toEqual(
      [],
    );
  });

  test('create and quote requests accept the optional fields of the interface and no others', () => {
    const full = {
      ...createRequest,
      orderType: 'order',
      shipmentMethodUid: 'normal,express',
      metadata: [],
      returnAddress,
    };
    expect(createOrderRequestSchema.parse(full)).toEqual(full);
    expect(faults(createOrderRequestSchema, { ...createRequest, orderType: 'quote' })).toEqual(['orderType']);
    expect(faults(createOrderRequestSchema, { ...createRequest, channel: 'api' })).toEqual(['']);
    expect(faults(quoteRequestSchema, { ...quoteRequest, allowMultipleQuotes: false })).toEqual([]);
    expect(faults(quoteRequestSchema, { ...quoteRequest, allowMultipleQuotes: 'no' })).toEqual(['allowMultipleQuotes']);
    expect(faults(quoteRequestSchema, { ...quoteRequest, items: [] })).toEqual(['']);
  });
});

describe('a search request', () => {
  test.each([
    [{ limit: 1, offset: 0 }, []],
    [{ limit: 100, offset: 10_000 }, []],
    [{ limit: 0 }, ['limit']],
    [{ limit: 101 }, ['limit']],
    [{ offset: -1 }, ['offset']],
    [{ orderTypes: ['order', 'draft'] }, []],
    [{ orderTypes: ['quote'] }, ['orderTypes[0]']],
    [{ ids: ['a'], orderReferenceIds: ['b'], orderReferenceId: 'c', search: 'd', storeIds: ['e'] }, []],
    [
      {
        channels: ['shopify'],
        countries: ['US'],
        currencies: ['USD'],
        financialStatuses: ['paid'],
        fulfillmentStatuses: ['new'],
      },
      [],
    ],
    [{ ids: 'a' }, ['ids']],
    [{ startDate: '2024-01-15', endDate: ['2024-01-15T12:32:03+0000'] }, []],
    [{ startDate: 'yesterday' }, ['startDate']],
    [{ endDate: ['2024-01-15', '2024-01-16'] }, ['endDate']],
    [{ reference: 'a' }, ['']],
  ])('the errors in a search with %j are reported at %j', (filters, expected) => {
    expect(faults(searchOrdersRequestSchema, filters)).toEqual(expected);
  });
});

test('a patch request can only turn a draft into an order', () => {
  expect(faults(patchOrderRequestSchema, { orderType: 'order' })).toEqual([]);
  expect(faults(patchOrderRequestSchema, { orderType: 'draft' })).toEqual(['orderType']);
  expect(faults(patchOrderRequestSchema, {})).toEqual(['orderType']);
});

test.each([
  ['2021-01-14T12:30:03+00:00', '2021-01-14T12:30:03.000Z'],
  ['2023-06-21T09:44:03+0000', '2023-06-21T09:44:03.000Z'],
  ['2023-06-21T09:44:03+0230', '2023-06-21T07:14:03.000Z'],
  ['2023-06-21T09:44:03-05:00', '2023-06-21T14:44:03.000Z'],
  ['2023-06-21T09:44:03Z', '2023-06-21T09:44:03.000Z'],
  ['2023-06-21T09:44:03.250Z', '2023-06-21T09:44:03.250Z'],
  ['0000-01-01T00:00:00Z', undefined],
  ['0001-01-01T00:00:00+14:00', undefined],
  ['9999-12-31T23:59:59-12:00', undefined],
  ['2023-06-21', undefined],
  ['2023-06-21T09:44:03', undefined],
  ['2023-13-21T09:44:03Z', undefined],
  ['soon', undefined],
  ['', undefined],
])('the timestamp %j is parsed as %s', (value, iso) => {
  expect(parseTimestamp(value)?.toISOString()).toBe(iso);
});
