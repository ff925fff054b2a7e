import { expect, test } from 'vitest';
import type { z } from 'zod';
import { quoteV1RequestSchema } from '../../src/print/legacy/orders-v1.ts';
import { quoteV2RequestSchema } from '../../src/print/legacy/orders-v2.ts';
import { createOrderRequestSchema, searchOrdersV3RequestSchema } from '../../src/print/current/orders-v3.ts';
import { quoteRequestSchema, searchOrdersRequestSchema } from '../../src/print/current/orders-v4.ts';
import { change } from './broken-limits.ts';
import type { Body } from './request-arbitraries.ts';
import { createRequest, quoteRequest } from './servers.ts';

const LENGTH = 1_000_000;
const texts = ['x', '@', 'a@', '1', ' ', '(', '字', '😀', '\n', '\ud800', '"', 'A'].map((piece) =>
  piece.repeat(LENGTH / piece.length),
);
texts.push(
  `${'a@'.repeat(LENGTH / 2)}\n`,
  `+${'1'.repeat(LENGTH)}`,
  `a@${'b'.repeat(LENGTH)}`,
  `2024-01-15${' '.repeat(LENGTH)}`,
);

const { country, state, postCode, ...person } = createRequest.shippingAddress;
const recipient = { ...person, countryIsoCode: country, stateCode: state, postcode: postCode };
const order = { currencyIsoCode: 'USD', customerReferenceId: 'one', orderReferenceId: 'two' };
const product = { itemReferenceId: 'line', pdfUrl: 'https://files.example/a.pdf', productUid: 'mug', quantity: 1 };
const create = { ...createRequest, returnAddress: {}, metadata: [{ key: 'k', value: 'v' }] };

const names = ['firstName', 'lastName', 'addressLine1', 'addressLine2', 'city', 'email', 'phone'];
const current = [...names, 'companyName', 'postCode', 'state', 'country'];
const ofReturn = current.filter((field) => field !== 'firstName' && field !== 'lastName');
const earlier = [...names, 'postcode', 'stateCode', 'countryIsoCode'];
const under = (path: string, fields: string[]) => fields.map((field) => `${path}.${field}`);

const requests: [string, z.ZodType, Body, fields: string[]][] = [
  [
    'a create request',
    createOrderRequestSchema,
    create,
    ['currency', 'orderType', 'metadata[0].key', 'metadata[0].value'],
  ],
  ['an address', createOrderRequestSchema, create, under('shippingAddress', current)],
  ['a return address', createOrderRequestSchema, create, under('returnAddress', ofReturn)],
  ['a quote request', quoteRequestSchema, { ...quoteRequest }, ['currency', ...under('recipient', current)]],
  ['a v4 search', searchOrdersRequestSchema, {}, ['startDate', 'endDate', 'limit']],
  ['a v3 search', searchOrdersV3RequestSchema, {}, ['startDate', 'endDate', 'offset']],
  [
    'a v1 quote request',
    quoteV1RequestSchema,
    {
      order: { ...order, customerReferenceId: 1, orderReferenceId: 2 },
      recipient,
      product: { ...product, itemReferenceId: 3 },
    },
    ['order.currencyIsoCode', ...under('recipient', earlier)],
  ],
  [
    'a v2 quote request',
    quoteV2RequestSchema,
    { order, recipient, products: [product] },
    ['order.currencyIsoCode', ...under('recipient', [...earlier, 'companyName'])],
  ],
];

test.each(requests)(
  'a string of a million characters is refused in any length-limited field of %s',
  (_title, schema, body, fields) => {
    expect(schema.safeParse(body).error).toBeUndefined();
    for (const field of fields) {
      for (const text of texts) {
        const { success } = schema.safeParse(change(body, { [field]: text }));
        expect({ field, begins: text.slice(0, 3), success }).toMatchObject({ success: false });
      }
    }
  },
);
