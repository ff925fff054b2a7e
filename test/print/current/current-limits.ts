import fc from 'fast-check';
import {
  addressLimits,
  breaks,
  countryLimits,
  noCount,
  noText,
  taxLimits,
  type BrokenLimit,
} from '../broken-limits.ts';
import { over } from '../request-arbitraries.ts';

const noCurrency = fc.constantFrom<unknown>(undefined, '', 'usd', 'TWD', 'XXX', ' USD', null, 'U'.repeat(100_000));
const noUrl = fc.constantFrom<unknown>('', 'files/a.pdf', 'ftp://files.example/a.pdf', 'javascript:alert(1)', 7, null);
const reference = ['orderReferenceId', 'customerReferenceId'].map((field) => breaks(field, 'is required', noText));

/** Returns the limits of the products in a create or quote request. */
function lineLimits(list: string): BrokenLimit[] {
  const line = { itemReferenceId: 'one', productUid: 'two', quantity: 1 };
  return [
    breaks(list, 'is required', fc.constantFrom<unknown>(undefined, [], null, {}, 'a')),
    breaks(`${list}[0].itemReferenceId`, 'is required', noText),
    breaks(`${list}[0].productUid`, 'is required', noText),
    breaks(`${list}[0].quantity`, 'must be at least 1', noCount),
    breaks(`${list}[0].pageCount`, 'must be a whole number', fc.constantFrom<unknown>(1.5, '1', null)),
    {
      field: `${list}[2].itemReferenceId`,
      rule: 'must be unique within the order',
      change: fc.constant({ [list]: [line, { ...line, itemReferenceId: 'other' }, line] }),
    },
  ];
}

/** Limits of `POST /v3/orders`. */
export const createLimits: BrokenLimit[] = [
  ...reference,
  breaks('currency', 'must be a listed currency', noCurrency),
  breaks('orderType', 'must be order or draft', fc.constantFrom<unknown>('quote', '', null, 'Order')),
  ...lineLimits('items'),
  breaks('items[0].fileUrl', 'must be a web address', noUrl),
  breaks(
    'metadata',
    'must have at most 20 entries',
    fc.constant(Array.from({ length: 21 }, () => ({ key: 'k', value: 'v' }))),
  ),
  {
    field: 'metadata[0].key',
    rule: 'must have at most 100 characters',
    change: over(100).map((key) => ({ metadata: [{ key, value: 'v' }] })),
  },
  {
    field: 'metadata[0].value',
    rule: 'must have at most 100 characters',
    change: over(100).map((value) => ({ metadata: [{ key: 'k', value }] })),
  },
  { field: 'metadata[0].key', rule: 'is required', change: fc.constant({ metadata: [{ value: 'v' }] }) },
  { field: 'metadata[0].value', rule: 'is required', change: fc.constant({ metadata: [{ key: 'k' }] }) },
  breaks('shippingAddress', 'is required', fc.constantFrom<unknown>(undefined, null, 'a', [])),
  ...addressLimits('shippingAddress'),
  breaks('shippingAddress.companyName', 'must have at most 60 characters', over(60)),
  ...countryLimits('shippingAddress'),
  ...taxLimits('shippingAddress'),
  ...returnAddressLimits(),
];

/** Returns the limits of a return address. The lengths and patterns are those of a shipping address, but every field is optional. */
function returnAddressLimits(): BrokenLimit[] {
  const one = (field: string, rule: string, value: unknown, more: object = {}): BrokenLimit => ({
    field: `returnAddress.${field}`,
    rule,
    change: fc.constant({ returnAddress: { ...more, [field]: value } }),
  });
  const lengths = { companyName: 60, addressLine1: 35, addressLine2: 35, city: 30, postCode: 15, state: 35, phone: 25 };
  return [
    ...Object.entries(lengths).map(([field, length]) =>
      one(field, `must have at most ${length} characters`, '1'.repeat(length + 1)),
    ),
    one('country', 'must be an alpha-2 code', 'usa'),
    one('email', 'must be an email address', 'nobody'),
    ...['AU', 'CA', 'US'].map((country) => one('state', `is required in ${country}`, undefined, { country })),
  ];
}

/** Limits of `POST /v4/orders:quote`. */
export const quoteLimits: BrokenLimit[] = [
  ...reference,
  breaks('currency', 'must be a listed currency', noCurrency),
  ...lineLimits('products'),
  {
    field: 'products[0].files[0].url',
    rule: 'must be a web address',
    change: noUrl.map((url) => ({ 'products[0].files': [{ type: 'default', url }] })),
  },
  breaks('allowMultipleQuotes', 'must be a boolean', fc.constantFrom<unknown>('no', 0, null)),
  breaks('recipient', 'is required', fc.constantFrom<unknown>(undefined, null, 'a', [])),
  ...addressLimits('recipient'),
  breaks('recipient.companyName', 'must have at most 60 characters', over(60)),
  ...countryLimits('recipient'),
  ...taxLimits('recipient'),
];

const noDate = fc.constantFrom<unknown>('yesterday', '2024-1-1', ['2024-01-15', '2024-01-16'], 7, null);

/** Limits of both search requests. */
export const searchLimits: BrokenLimit[] = [
  breaks('limit', 'must be from 1 to 100', fc.constantFrom<unknown>(0, 101, -1, 1.5, '50', null)),
  breaks('offset', 'must be at least 0', fc.constantFrom<unknown>(-1, 0.5, '0', null)),
  breaks('ids', 'must be a list of strings', fc.constantFrom<unknown>('a', null, {})),
  breaks('search', 'must be a string', fc.constantFrom<unknown>(1, null, ['a'])),
  breaks('startDate', 'must be a single date', noDate),
  breaks('endDate', 'must be a single date', noDate),
];
