import fc from 'fast-check';
import { addressLimits, breaks, breaksTogether, noCount, noText, type BrokenLimit } from '../broken-limits.ts';
import { over } from '../request-arbitraries.ts';

const noInteger = fc.constantFrom<unknown>(undefined, 1.5, '1', null, 'one', true);
const noCurrency = fc.constantFrom<unknown>(undefined, '', 'usd', 'US', 'USDX', 7, null, 'U'.repeat(100_000));
const noUrl = fc.constantFrom<unknown>(undefined, '', 'files/a.pdf', 'javascript:alert(1)', 7, null);

function recipientLimits(): BrokenLimit[] {
  const names = { country: 'countryIsoCode', postCode: 'postcode', state: 'stateCode' };
  const withState = ['BR', 'IN', 'CL', 'AU', 'GB', 'US'].map((country) =>
    breaksTogether('recipient.stateCode', `is required in ${country}`, {
      'recipient.countryIsoCode': country,
      'recipient.stateCode': undefined,
    }),
  );
  return [...addressLimits('recipient', names), ...withState];
}

/** Limits of `POST /v1/quote`. */
export const quoteV1Limits: BrokenLimit[] = [
  breaks('order.customerReferenceId', 'must be a whole number', noInteger),
  breaks('order.orderReferenceId', 'must be a whole number', noInteger),
  breaks('order.currencyIsoCode', 'must be three capital letters', noCurrency),
  breaks('product.itemReferenceId', 'must be a whole number', noInteger),
  breaks('product.productUid', 'is required', noText),
  breaks('product.pdfUrl', 'must be a web address', noUrl),
  breaks('product.quantity', 'must be at least 1', noCount),
  ...recipientLimits(),
];

const noEnvelope = fc.constantFrom<unknown>('card', '', undefined, null).map((type) => ({
  'products[0].options': [{ type, productUid: 'one', quantity: 1 }],
}));
const noEnvelopes = noCount.map((quantity) => ({
  'products[0].options': [{ type: 'envelope', productUid: 'one', quantity }],
}));

/** Limits of `POST /v2/quote`. */
export const quoteV2Limits: BrokenLimit[] = [
  breaks('order.customerReferenceId', 'is required', noText),
  breaks('order.orderReferenceId', 'is required', noText),
  breaks('order.currencyIsoCode', 'must be three capital letters', noCurrency),
  breaks('products', 'is required', fc.constantFrom<unknown>(undefined, [], null, {}, 'a')),
  breaks('products[0].itemReferenceId', 'is required', noText),
  breaks('products[0].productUid', 'is required', noText),
  breaks('products[0].pdfUrl', 'must be a web address', noUrl),
  breaks('products[0].quantity', 'must be at least 1', noCount),
  { field: 'products[0].options[0].type', rule: 'must be envelope', change: noEnvelope },
  { field: 'products[0].options[0].quantity', rule: 'must be at least 1', change: noEnvelopes },
  breaks('recipient.companyName', 'must have at most 60 characters', over(60)),
  ...recipientLimits(),
];
