import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createOrderRequestSchema } from '../../src/print/current/orders-v3.ts';
import { quoteRequestSchema } from '../../src/print/current/orders-v4.ts';
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

describe('a length limit', () => {
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
